"""Stage 9: a tree becomes a release, and the release becomes the site.

Takes the rendered tree; gives `dist/`: the immutable `/v/<release>/`, whose id is the digest of its manifest, and the
root that mirrors it. Every rename leaves each page whole; `current.json` is moved last. `verify` needs nothing but the
folder. Never writes a file in place.
"""
