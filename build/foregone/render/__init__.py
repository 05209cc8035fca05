"""Stage 8: answers become files.

Takes answers, the corpus and the templates; gives the tree of a release as path -> bytes: JSON first, pages with the
release token in the place of the release's id. Everything from corpus, drafts and questions is escaped; no page loads
anything from another host. Touches no disk but to read templates and schemas.
"""
