"""Any local sentence-transformers folder with an ONNX model: pooling, window, prefixes and normalisation as it says itself.

Nothing is downloaded: the folder is named by its path and by the digest over its files.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import NoReturn

from foregone.digest import Digest, digest_bytes, digest_text
from foregone.embedder_settings import OnnxSettings
from foregone.errors import Refused
from foregone.files import read_text
from foregone.index.embedder import EmbedderIdentity, TextKind
from foregone.index.onnx_model import INPUTS, ModelShape, OnnxEmbedder, Pooling
from foregone.located import Located, load_json

MODELS = ("onnx/model.onnx", "model.onnx")
"""Where the model lies, first come first served."""
MODES: Mapping[str, Pooling] = {
    "mean": "mean",
    "cls": "cls",
    "max": "max",
    "mean_sqrt_len_tokens": "mean_sqrt_len",
    "lasttoken": "last",
}
"""`pooling_mode` of `1_Pooling/config.json` -> pooling (sentence-transformers 5, Pooling.POOLING_MODES)."""
FLAGS: Mapping[str, str] = {
    "pooling_mode_mean_tokens": "mean",
    "pooling_mode_cls_token": "cls",
    "pooling_mode_max_tokens": "max",
    "pooling_mode_mean_sqrt_len_tokens": "mean_sqrt_len_tokens",
    "pooling_mode_lasttoken": "lasttoken",
    "pooling_mode_weightedmean_tokens": "weightedmean",
}
"""Keys that older folders have instead, each true or false -> what they are called now."""
APPLIED_HERE = frozenset({"Transformer", "Pooling", "Normalize"})
"""Modules that need not be part of the ONNX model."""
PROMPTS: Mapping[TextKind, tuple[str, ...]] = {"document": ("document", "passage", "corpus"), "query": ("query",)}
"""Kind of text -> names of its prompt in `config_sentence_transformers.json`, first come first served."""
DEFAULT_WINDOW = 512
MAX_WINDOW = 1_000_000
MEND = "name a complete sentence-transformers folder with an ONNX model in retrieval.dense.folder"


def folder_digest(folder: Path) -> Digest:
    """The digest over a sorted line `<path> <digest>` a file, hidden ones left out; what `retrieval.dense.sha256` pins."""
    names = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    shown = sorted(name for name in names if "/." not in f"/{name}")
    return digest_text("".join(f"{name} {digest_bytes(names[name].read_bytes())}\n" for name in shown))


def identify_folder(settings: OnnxSettings) -> EmbedderIdentity:
    """The identity that the settings pin; the folder is not read."""
    return EmbedderIdentity(Path(settings.folder).name, settings.digest, settings.digest, settings.dimension)


def load_folder(settings: OnnxSettings, root: Path) -> OnnxEmbedder:
    """The model in the folder; Refused where it is not the pinned one, incomplete, or works in a way unknown here."""
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
    model = next((name for name in MODELS if (folder / name).is_file()), None)
    if model is None:
        _refuse(folder, MODELS[0], "there is no such file")
    shape = read_shape(folder)
    tokenizer = read_text(folder / "tokenizer.json", mend=MEND)
    embedder = OnnxEmbedder(identify_folder(settings), shape, folder / model, tokenizer)
    _refuse_unknown(embedder, shape, folder, model)
    return embedder


def read_shape(folder: Path) -> ModelShape:
    """How the folder's own configuration wants its input pooled, cut and prefixed."""
    modules = _modules(folder)
    config = _optional(folder / "config_sentence_transformers.json")
    compares_by = _value(config, "similarity_fn_name") or "cosine"
    if "Normalize" not in modules and compares_by != "cosine":
        _refuse(folder, "modules.json", f"the model compares by {compares_by} what it does not normalise")
    prefixes = _prefixes(config)
    pooling: Pooling = "none"
    if "Pooling" in modules and APPLIED_HERE.issuperset(modules):
        pooling = _pooling(folder, prefixes)
    limits = _optional(folder / "sentence_bert_config.json")
    is_limited = _value(limits, "max_seq_length") is not None
    window = limits["max_seq_length"].integer(1, MAX_WINDOW) if is_limited else DEFAULT_WINDOW
    return ModelShape(window, pooling, prefixes)


def _modules(folder: Path) -> tuple[str, ...]:
    """Class names of the modules in order, e.g. ('Transformer', 'Pooling', 'Normalize')."""
    entries = load_json(folder / "modules.json", mend=MEND).items()
    return tuple(_type_of(entry).rpartition(".")[2] for entry in entries)


def _type_of(entry: Located) -> str:
    fields = entry.any_mapping()
    return fields["type"].string() if "type" in fields else ""


def _prefixes(config: Mapping[str, Located]) -> dict[TextKind, str]:
    """What the model wants before each kind of text: the prompt of its name, else the default one."""
    prompts = config["prompts"].any_mapping() if _value(config, "prompts") is not None else {}
    default = _value(config, "default_prompt_name")
    chosen = {
        kind: next((name for name in (*names, default) if name in prompts), None) for kind, names in PROMPTS.items()
    }
    return {
        kind: prompts[name].string() for kind, name in chosen.items() if isinstance(name, str) and prompts[name].value
    }


def _pooling(folder: Path, prefixes: Mapping[TextKind, str]) -> Pooling:
    name = "1_Pooling/config.json"
    config = load_json(folder / name, mend=MEND).any_mapping()
    if "pooling_mode" in config:
        field = config["pooling_mode"]
        modes = field.strings() if isinstance(field.value, list) else (field.string(),)
    else:
        modes = tuple(mode for flag, mode in FLAGS.items() if flag in config and config[flag].boolean())
    if len(modes) != 1 or modes[0] not in MODES:
        _refuse(folder, name, f"expected one way of pooling of {', '.join(MODES)}; found {', '.join(modes) or 'none'}")
    if any(prefixes.values()) and _value(config, "include_prompt") is False:
        _refuse(folder, name, "it leaves the prompt out of the pooling")
    return MODES[modes[0]]


def _refuse_unknown(embedder: OnnxEmbedder, shape: ModelShape, folder: Path, model: str) -> None:
    """Refused where the model does not take or give what the folder's configuration says."""
    if asked := sorted(set(embedder.inputs) - set(INPUTS)):
        _refuse(folder, model, f"the model asks for {', '.join(asked)}")
    if shape.pooling == "none" and "sentence_embedding" not in embedder.outputs:
        _refuse(folder, "modules.json", "a module behind the pooling is not part of the ONNX model")
    if shape.pooling != "none" and next(iter(embedder.outputs.values())) != 3:
        _refuse(folder, model, "its first output is not a vector a token")


def _optional(path: Path) -> dict[str, Located]:
    """The JSON object in a file that not every folder has."""
    return load_json(path, mend=MEND).any_mapping() if path.is_file() else {}


def _value(fields: Mapping[str, Located], key: str) -> object:
    """The value of a key that may be absent or null."""
    return fields[key].value if key in fields else None


def _refuse(folder: Path, name: str, why: str) -> NoReturn:
    raise Refused(
        "unknown-model", f"{folder} cannot be used as an embedder", where=str(folder / name), why=(why,), mend=MEND
    )
