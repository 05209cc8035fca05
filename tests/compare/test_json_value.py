"""The comparison as data, complete and by its schema."""

import json

import pytest
from jsonschema import Draft202012Validator

from foregone.compare.comparison import compare_runs
from foregone.compare.json_value import comparison_value
from foregone.compare.run import Run
from foregone.render.tree import schema_bytes
from tiny_run import asked, claim, digest, tiny_run

CHANGED = (
    tiny_run(asked("lid", claim(1)), asked("spout")),
    tiny_run(asked("lid", claim(1, "literal"), fused=None, draft=1), asked("steam"), index=1),
)
PAIRS = {
    "changed": CHANGED,
    "the same": (CHANGED[0], CHANGED[0]),
    "nothing shared": (tiny_run(asked("lid")), tiny_run(asked("spout"))),
    "empty": (tiny_run(), tiny_run()),
    "turned": (tiny_run(asked("lid")), tiny_run(asked("lid", expected="partial", question=1))),
}


@pytest.mark.parametrize("name", PAIRS)
def test_every_comparison_is_by_the_schema_and_is_json(name: str) -> None:
    a, b = PAIRS[name]
    text = json.dumps(comparison_value(compare_runs(a, b)), allow_nan=False)

    schema = Draft202012Validator(json.loads(schema_bytes("comparison")))
    assert [error.message for error in schema.iter_errors(json.loads(text))] == []


def value(a: Run, b: Run, key: str) -> object:
    return comparison_value(compare_runs(a, b))[key]


def test_a_change_is_told_by_field_leg_and_claim() -> None:
    assert value(*CHANGED, "changes") == [
        {
            "id": "lid",
            "cause": "draft",
            "differences": [
                {"what": "claims", "leg": None, "a": 1, "b": 1, "cause": "draft"},
                {"what": "rank", "leg": "fused", "a": 1, "b": None, "cause": "index"},
            ],
            "claims": [
                {
                    "sha256": digest(1),
                    "a": {"verdict": "supported", "rules": []},
                    "b": {"verdict": "withdrawn", "rules": ["literal"]},
                }
            ],
        }
    ]


def test_what_is_not_measured_is_null_with_its_reason() -> None:
    assert value(*PAIRS["nothing shared"], "tests") == {
        "alpha": 0.05,
        "agrees": {"n": 0, "only_a": 0, "only_b": 0, "p": None, "detectable": None},
        "answered": {"n": 0, "only_a": 0, "only_b": 0, "p": None, "detectable": None},
        "mrr": {"n": 0, "differing": 0, "exact": True, "p": None, "power": 0.8, "detectable": None},
    }


def test_a_small_p_value_is_no_zero() -> None:
    a = tiny_run(*(asked(f"q{place}") for place in range(40)))
    b = tiny_run(*(asked(f"q{place}", state="partial", draft=1) for place in range(40)))

    assert comparison_value(compare_runs(a, b))["tests"]["agrees"] == {
        "n": 40,
        "only_a": 40,
        "only_b": 0,
        "p": 1.81899e-12,
        "detectable": {"questions": 6, "rate": 0.15},
    }
