"""Generator: seeds to synthetic conversations, through any LLM provider."""
