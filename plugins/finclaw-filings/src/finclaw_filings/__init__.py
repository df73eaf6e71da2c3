"""Company facts and filing texts: SEC's own files in a local store, and tools that cite the accession of each value."""
