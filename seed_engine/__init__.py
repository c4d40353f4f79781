"""Seed engine: find personal data in conversations and abstract them into seeds that hold nobody."""
