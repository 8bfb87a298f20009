"""The causal knowledge graph: records, stores, derivation, search index, export and verification."""
