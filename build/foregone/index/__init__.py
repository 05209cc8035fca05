"""Stage 2: chunks become an index with an address.

Takes the parsed corpus and the retrieval settings; gives, per leg, a chunk table and scores, and the index version that
names them all. The BM25 leg is rebuilt from the corpus; the dense leg's vectors are committed under
`corpus/index/<version>/`. An index of another version than the corpus asks for is refused. Never reads a question set.
"""
