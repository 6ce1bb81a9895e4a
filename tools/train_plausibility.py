"""Fit the classifiers of graphveil.measures.detection on generated graphs, and write their coefficients.

    python tools/train_plausibility.py           # a few minutes; writes src/graphveil/measures/coefficients.json
    python tools/train_plausibility.py --check   # only prints how well they do on generated graphs kept aside

Each family of methods gets a classifier of its own, by logistic regression with a small penalty (Newton's method). No
real graph is used.
"""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path

import numpy as np

from graphveil import anonymize, generate
from graphveil.differences import differences
from graphveil.measures.detection import _auc, features, pairs_at_distance_two

TARGET = Path(__file__).resolve().parent.parent / "src/graphveil/measures/coefficients.json"
PENALTY = 1.0
FAMILIES = {
    "mutual friends": [("plan", 25, {}), ("plan", 50, {}), ("add-del", 25, {}), ("add-greedy", 10, {})],
    "degrees": [
        ("add-del", 5, {"degree_k": 10, "degree_method": "kda"}),
        ("add-del", 5, {"degree_k": 25, "degree_method": "kda"}),
    ],
    "both": [("plan", 10, {"degree_k": 10}), ("plan", 25, {"degree_k": 25})],
}
TRAINING = ((4_000, 11), (8_000, 12), (16_000, 13))
ASIDE = ((6_000, 21), (12_000, 22))


def changes(edges: int, seed: int, method: str, k: int, options: dict[str, object]):
    """Features of changed pairs and of the others, for added edges and for deleted pairs."""
    before = generate(edges=edges, seed=seed)
    after = anonymize(before, k, method=method, seed=1, **options).graph
    added, deleted = differences(before, after)
    key = after.edges[:, 0].astype(np.int64) * after.n + after.edges[:, 1]
    original = after.edges[~np.isin(key, added[:, 0].astype(np.int64) * after.n + added[:, 1])]
    random = np.random.default_rng(1)
    some = original[random.permutation(len(original))[:5_000]]
    strangers = pairs_at_distance_two(after, random)[:5_000]
    return {
        "added": (features(after, added), features(after, some)),
        "deleted": (features(after, deleted), features(after, strangers)),
    }


def fit(changed: np.ndarray, others: np.ndarray) -> tuple[list[float], list[float], list[float]]:
    """Mean, spread and coefficient of each feature; both kinds weigh the same."""
    rows = np.concatenate((changed, others))
    truth = np.concatenate((np.ones(len(changed)), np.zeros(len(others))))
    weight = np.where(truth == 1, len(rows) / 2 / len(changed), len(rows) / 2 / len(others))
    mean, spread = rows.mean(axis=0), rows.std(axis=0)
    spread[spread < 1e-4] = 1.0  # a feature that is the same everywhere
    x = np.column_stack(((rows - mean) / spread, np.ones(len(rows))))
    beta = np.zeros(x.shape[1])
    for _ in range(30):
        p = 1 / (1 + np.exp(-np.clip(x @ beta, -30, 30)))
        slope = x.T @ (weight * (truth - p)) - PENALTY * beta
        curve = (x * (weight * np.maximum(p * (1 - p), 1e-6))[:, None]).T @ x + PENALTY * np.eye(len(beta))
        beta += np.linalg.solve(curve, slope)
    return tuple(np.round(part, 5).tolist() for part in (mean, spread, beta[:-1]))


def main() -> None:
    """Fit and write, or check."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    found: dict[str, dict[str, object]] = {"added": {}, "deleted": {}}
    for family, jobs in FAMILIES.items():
        data = [changes(*graph, *job) for graph in (ASIDE if options.check else TRAINING) for job in jobs]
        for kind in found:
            changed, others = (np.concatenate([each[kind][side] for each in data]) for side in (0, 1))
            if len(changed) < 30:
                continue
            if options.check:
                from graphveil.measures.detection import CLASSIFIERS, scores

                for name in CLASSIFIERS[kind]:
                    auc = _auc(scores(kind, name, changed), scores(kind, name, others))
                    print(
                        f"{kind:8} changes of {family:15} by {name:15} AUC {auc:.3f} ({len(changed)} changes)",
                        flush=True,
                    )
            else:
                found[kind][family] = fit(changed, others)
                print(kind, family, len(changed), flush=True)
    if not options.check:
        write(found)


def write(found: dict[str, dict[str, object]]) -> None:
    """As JSON, a line for each list of numbers."""
    rows = re.sub(
        r"\[\s+([^\[\]]+?)\s+\]", lambda row: f"[{' '.join(row[1].split())}]", json.dumps(found, indent=1)
    )
    TARGET.write_text(f"{rows}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
