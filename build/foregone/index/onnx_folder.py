"""Any local sentence-transformers folder with an ONNX model: pooling, window, prefixes and normalisation as it says itself.

Nothing is downloaded: the folder is named by its path and by the digest over its files.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn

from foregone.digest import Digest, digest_bytes, digest_text
from foregone.embedder_settings import OnnxSettings
from foregone.errors import Refused
from foregone.files import read_bytes, read_text
from foregone.index.embedder import EmbedderIdentity, TextKind
from foregone.index.onnx_model import ModelShape, OnnxEmbedder, Pooling
from foregone.located import Located, load_json

MODELS = ("onnx/model.onnx", "model.onnx")
"""Where the model lies, first come first served."""
POOLINGS: Mapping[str, Pooling] = {
    "pooling_mode_mean_tokens": "mean",
    "pooling_mode_cls_token": "cls",
    "pooling_mode_max_tokens": "max",
    "pooling_mode_mean_sqrt_len_tokens": "mean_sqrt_len",
    "pooling_mode_lasttoken": "last",
}
"""Key of `1_Pooling/config.json` -> pooling (sentence-transformers 5, Pooling.save)."""
KINDS: Mapping[str, TextKind] = {"document": "document", "passage": "document", "query": "query"}
"""Name of a prompt in `config_sentence_transformers.json` -> kind of text."""
DEFAULT_WINDOW = 512
MEND = "name a complete sentence-transformers folder with an ONNX model in retrieval.dense.folder"


def folder_digest(folder: Path) -> Digest:
    """The digest over a sorted line `<path> <digest>` a file; what `retrieval.dense.sha256` pins."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file() and "/." not in path.as_posix())
    lines = (f"{path.relative_to(folder).as_posix()} {digest_bytes(path.read_bytes())}\n" for path in paths)
    return digest_text("".join(lines))


def identify_folder(settings: OnnxSettings) -> EmbedderIdentity:
    """The identity that the settings pin; the folder is not read."""
    return EmbedderIdentity(Path(settings.folder).name, settings.digest, settings.digest, settings.dimension)


def load_folder(settings: OnnxSettings, root: Path) -> OnnxEmbedder:
    """The model in the folder; Refused where it is not the pinned one, incomplete, or pools in a way unknown here."""
    folder = root / settings.folder
    if not folder.is_dir():
        raise Refused("no-embedder", f"there is no folder {folder}", where=str(folder), mend=MEND)
    found = folder_digest(folder)
    if found != settings.digest:
        raise Refused(
            "pin-mismatch",
            f"the embedder folder {folder} does not match its pin",
            where=str(folder),
            why=(f"expected {settings.digest}", f"found    {found}"),
            mend="restore the folder, or pin it anew in retrieval.dense.sha256 and build the index again",
        )
    model = next((folder / name for name in MODELS if (folder / name).is_file()), folder / MODELS[0])
    shape = read_shape(folder)
    embedder = OnnxEmbedder(
        identify_folder(settings),
        shape,
        read_bytes(model, mend=MEND),
        read_text(folder / "tokenizer.json", mend=MEND),
    )
    if shape.pooling == "none" and "sentence_embedding" not in embedder.outputs:
        _refuse(folder / "modules.json", "a module behind the pooling is not part of the ONNX model")
    return embedder


def read_shape(folder: Path) -> ModelShape:
    """How the folder's own configuration wants its input pooled, cut and prefixed."""
    modules = _modules(folder)
    if "Dense" in modules:
        pooling: Pooling = "none"
    else:
        pooling = _pooling(folder / "1_Pooling" / "config.json") if "Pooling" in modules else "none"
    config = _optional(folder / "config_sentence_transformers.json")
    if "Normalize" not in modules and pooling != "none" and config.get("similarity_fn_name") == "dot":
        _refuse(folder / "modules.json", "the model compares by dot product of vectors that are not of unit length")
    prompts = config.get("prompts") or {}
    prefixes = {KINDS[name]: str(prompts[name]) for name in sorted(prompts, reverse=True) if name in KINDS}
    window = _optional(folder / "sentence_bert_config.json").get("max_seq_length") or DEFAULT_WINDOW
    return ModelShape(int(window), pooling, prefixes)


def _modules(folder: Path) -> tuple[str, ...]:
    """Class names of the modules in order, e.g. ('Transformer', 'Pooling', 'Normalize')."""
    entries = load_json(folder / "modules.json", mend=MEND).items()
    return tuple(_type_of(entry).rpartition(".")[2] for entry in entries)


def _type_of(entry: Located) -> str:
    return entry.any_mapping()["type"].string() if "type" in entry.any_mapping() else ""


def _pooling(path: Path) -> Pooling:
    config = load_json(path, mend=MEND).any_mapping()
    chosen = [pooling for key, pooling in POOLINGS.items() if key in config and config[key].value is True]
    named = config["pooling_mode"].value if "pooling_mode" in config else None
    chosen += [pooling for key, pooling in POOLINGS.items() if named is not None and named in (pooling, key)]
    if len(chosen) != 1:
        _refuse(path, f"expected one way of pooling of {', '.join(POOLINGS)}, found {len(chosen)}")
    return chosen[0]


def _optional(path: Path) -> dict[str, Any]:
    """The JSON object in a file that not every folder has."""
    if not path.is_file():
        return {}
    return {name: entry.value for name, entry in load_json(path, mend=MEND).any_mapping().items()}


def _refuse(path: Path, why: str) -> NoReturn:
    raise Refused(
        "unknown-model", f"{path.parent} cannot be used as an embedder", where=str(path), why=(why,), mend=MEND
    )
