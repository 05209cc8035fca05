"""A comparison as data: `foregone compare --json`, whose schema is published as `comparison`."""

from typing import Any

from foregone.compare.change import Change
from foregone.compare.comparison import Comparison
from foregone.compare.figures import Discordance, Figure, RankTest
from foregone.compare.run import Claim, Run
from foregone.measure.metric import Metric, rounded
from foregone.measure.paired import ALPHA

FORMAT = 1
POWER = 0.8


def comparison_value(comparison: Comparison) -> dict[str, Any]:
    """Everything that the comparison found, nothing cut off."""
    return {
        "format": FORMAT,
        "a": _run(comparison.a),
        "b": _run(comparison.b),
        "questions": {
            "shared": len(comparison.shared),
            "only_a": list(comparison.only_a),
            "only_b": list(comparison.only_b),
            "turned": list(comparison.turned),
        },
        "legs_of_one": list(comparison.legs_of_one),
        "differing_inputs": comparison.inputs,
        "changed": len(comparison.changes),
        "kinds": comparison.kinds,
        "causes": comparison.causes,
        "unexplained": list(comparison.unexplained),
        "changes": [_change(change) for change in comparison.changes],
        "figures": {figure.name: _figure(figure) for figure in comparison.figures},
        "tests": {
            "alpha": ALPHA,
            "agrees": _discordance(comparison.agreement),
            "answered": _discordance(comparison.answered),
            "mrr": _ranks(comparison.ranks),
        },
    }


def _run(run: Run) -> dict[str, Any]:
    return {
        "name": run.name,
        "questions": len(run.questions),
        "index_version": run.index_version,
        "inputs": dict(run.inputs),
    }


def _change(change: Change) -> dict[str, Any]:
    return {
        "id": change.id,
        "cause": change.cause,
        "differences": [
            {"what": one.what, "leg": one.leg, "a": one.a, "b": one.b, "cause": one.cause} for one in change.differences
        ],
        "claims": [{"sha256": one.sha256, "a": _claim(one.a), "b": _claim(one.b)} for one in change.claims],
    }


def _claim(claim: Claim | None) -> dict[str, Any] | None:
    return None if claim is None else {"verdict": claim.verdict, "rules": list(claim.rules)}


def _figure(figure: Figure) -> dict[str, Any]:
    return {"a": _metric(figure.a), "b": _metric(figure.b), "difference": rounded(figure.difference)}


def _metric(metric: Metric) -> dict[str, Any]:
    return {"value": rounded(metric.value), "n": metric.n, "status": metric.status, "reason": metric.reason}


def _discordance(found: Discordance) -> dict[str, Any]:
    fewest = found.fewest
    return {
        "n": found.n,
        "only_a": found.only_a,
        "only_b": found.only_b,
        "p": _significant(found.p),
        "detectable": None if fewest is None else {"questions": fewest, "rate": rounded(fewest / found.n)},
    }


def _ranks(found: RankTest) -> dict[str, Any]:
    return {
        "n": found.n,
        "differing": found.flip.differing,
        "exact": found.flip.exact,
        "p": _significant(found.flip.p),
        "power": POWER,
        "detectable": rounded(found.detectable),
    }


def _significant(p: float | None) -> float | None:
    """A p-value to six digits that count, since decimals would make a small one zero."""
    return None if p is None else float(f"{p:.6g}")
