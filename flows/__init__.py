"""Flows: Prefect, files on disk, command line, certificate and report."""
