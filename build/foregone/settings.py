"""The project's settings, `foregone.yaml`: what the site is called, how it retrieves and what its rules ask for."""

import re
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from urllib.parse import urlsplit

from foregone.digest import Digest, digest_text
from foregone.embedder_settings import EMBEDDERS, KEYS, EmbedderSettings, read_embedder
from foregone.located import Located, load_yaml

LEGS = ("bm25", "dense")
STEMMERS = ("english",)


@dataclass(frozen=True, slots=True)
class Bm25Settings:
    """Chunks and stems of the BM25 leg."""

    stemmer: str
    """Snowball algorithm, e.g. `english`."""
    chunk_words: int
    overlap_words: int


@dataclass(frozen=True, slots=True)
class DenseSettings:
    """Chunks and embedder of the dense leg."""

    embedder: EmbedderSettings
    unit: str
    """`word piece` where the embedder has a tokenizer here, else `word`."""
    chunk_size: int
    """In units, the heading not counted."""
    overlap: int
    """In units."""


@dataclass(frozen=True, slots=True)
class RetrievalSettings:
    """How passages are found."""

    bm25: Bm25Settings
    dense: DenseSettings | None
    """None: BM25 alone."""
    fusion_k: int
    """The k of reciprocal rank fusion (Cormack, Clarke and Buettcher, SIGIR 2009)."""
    evidence_per_leg: int
    """Sections that each leg adds to the evidence."""

    @property
    def legs(self) -> tuple[str, ...]:
        """Names of the legs in use, in the order of publication."""
        return LEGS if self.dense else LEGS[:1]


@dataclass(frozen=True, slots=True)
class RuleSettings:
    """Parameters of the grounding rules."""

    min_coverage: Fraction
    """Share of a claim's content words that its cited section must hold; in (0, 1]."""


@dataclass(frozen=True, slots=True)
class Settings:
    """All of `foregone.yaml`."""

    title: str
    url: str
    """Where the site is published; ends in `/`."""
    retrieval: RetrievalSettings
    rules: RuleSettings
    kept_releases: int
    """Releases that stay under `/v/`, the current one included."""
    digest: Digest
    """Of the file."""

    @property
    def base_path(self) -> str:
        """The path of the site's URL; begins and ends in `/`."""
        return urlsplit(self.url).path or "/"


def load_settings(path: Path) -> Settings:
    """The settings at `path`; Refused with file and line where a key is unknown, missing or out of its range."""
    located = load_yaml(path, mend="write the project's settings there, see docs/inputs.md")
    top = located.mapping(required=("site", "retrieval", "rules", "kept_releases"))
    site = top["site"].mapping(required=("title", "url"))
    rules = top["rules"].mapping(required=("min_coverage",))
    return Settings(
        title=site["title"].string(),
        url=_site_url(site["url"]),
        retrieval=_retrieval(top["retrieval"]),
        rules=RuleSettings(_share(rules["min_coverage"])),
        kept_releases=top["kept_releases"].integer(1, 1000),
        digest=digest_text(located.source.text),
    )


def _site_url(field: Located) -> str:
    url = field.string()
    if not re.fullmatch(r"https?://[A-Za-z0-9.-]+(:\d+)?/(?:[A-Za-z0-9._~-]+/)*", url):
        field.refuse(
            "bad-value",
            f"site.url is {url!r}",
            why=("expected http or https, a host and a path that ends in `/`",),
            mend="write it like https://answers.example/",
        )
    return url


def _retrieval(entry: Located) -> RetrievalSettings:
    fields = entry.mapping(required=("legs", "bm25", "fusion_k", "evidence_per_leg"), optional=("dense",))
    legs = fields["legs"].strings()
    if legs not in (LEGS, LEGS[:1]):
        fields["legs"].refuse(
            "bad-value",
            f"retrieval.legs is {list(legs)}",
            why=("expected [bm25] or [bm25, dense]",),
            mend="name the legs in this order",
        )
    if ("dense" in legs) and "dense" not in fields:
        entry.refuse("missing-key", "retrieval has no 'dense'", mend="add its parameters or take the leg out of legs")
    dense = _dense(fields["dense"]) if "dense" in fields else None
    return RetrievalSettings(
        bm25=_bm25(fields["bm25"]),
        dense=dense if "dense" in legs else None,
        fusion_k=fields["fusion_k"].integer(0, 1000),
        evidence_per_leg=fields["evidence_per_leg"].integer(1, 100),
    )


def _bm25(entry: Located) -> Bm25Settings:
    fields = entry.mapping(required=("stemmer", "chunk_words", "overlap_words"))
    size = fields["chunk_words"].integer(1, 10_000)
    return Bm25Settings(fields["stemmer"].one_of(*STEMMERS), size, fields["overlap_words"].integer(0, size - 1))


def _dense(entry: Located) -> DenseSettings:
    """The dense leg; its embedder decides in which unit chunks are measured and which keys it needs."""
    fields = entry.any_mapping()
    if "embedder" not in fields:
        entry.refuse("missing-key", f"{entry.name} has no 'embedder'", mend="add 'embedder'")
    kind = fields["embedder"].one_of(*EMBEDDERS)
    unit, plural = ("word", "words") if kind == "openai" else ("word piece", "pieces")
    size_key, overlap_key = f"chunk_{plural}", f"overlap_{plural}"
    required, optional = KEYS[kind]
    fields = entry.mapping(required=("embedder", size_key, overlap_key, *required), optional=optional)
    size = fields[size_key].integer(8, 8192)
    return DenseSettings(read_embedder(kind, fields), unit, size, fields[overlap_key].integer(0, size - 1))


def _share(field: Located) -> Fraction:
    text = field.string() if isinstance(field.value, str) else str(field.value)
    if not (re.fullmatch(r"\d{1,6}/[1-9]\d{0,5}|[01](\.\d{1,6})?", text) and 0 < Fraction(text) <= 1):
        field.refuse(
            "bad-number",
            f"{field.name} is {field.value!r}",
            why=("expected a fraction above 0 and at most 1",),
            mend="write it like 2/3",
        )
    return Fraction(text)
