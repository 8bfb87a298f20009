"""Chains and passages in, answers out."""
