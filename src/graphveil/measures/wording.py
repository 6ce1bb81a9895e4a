"""What the figures of a comparison are called where people read them."""

from __future__ import annotations

__all__ = ["in_words"]

_WORDS = {
    "largest_component": "share in the largest component",
    "degeneracy": "largest coreness",
    "adjacency_eigenvalue": "eigenvalue of the adjacency, no.",
    "laplacian_eigenvalue": "eigenvalue of the Laplacian, no.",
    "degree_total_variation": "degrees: total variation",
    "degree_earth_mover": "degrees: earth mover's distance",
    "mutual_friends_total_variation": "mutual friends: total variation",
    "mutual_friends_earth_mover": "mutual friends: earth mover's distance",
    "betweenness_kolmogorov_smirnov": "betweenness: Kolmogorov–Smirnov",
    "betweenness_rank": "betweenness: rank agreement",
    "betweenness_top": "betweenness: top 1 % kept",
    "pagerank_top": "PageRank: top 1 % kept",
    "eigenvector_top": "eigenvector: top 1 % kept",
    "closeness_top": "closeness: top 1 % kept",
    "communities": "communities: mutual information",
    "added_edges_jaccard": "added edges told apart, Jaccard",
    "added_edges_adamic_adar": "added edges told apart, Adamic–Adar",
    "deleted_pairs_jaccard": "deleted pairs told apart, Jaccard",
    "deleted_pairs_adamic_adar": "deleted pairs told apart, Adamic–Adar",
}


def in_words(name: str) -> str:
    """The name of a measure or an agreement in words.

    Examples
    --------
    >>> in_words("average_clustering"), in_words("pagerank_top"), in_words("adjacency_eigenvalue_2")
    ('average clustering', 'PageRank: top 1 % kept', 'eigenvalue of the adjacency, no. 2')
    """
    stem, _, number = name.rpartition("_")
    if number.isdecimal():
        return f"{in_words(stem)} {number}"
    return _WORDS.get(name, name.replace("_", " "))
