// The limits that graphveil's kernels are held against, on one thread: mutual friends of every edge by the forward
// algorithm, exact average path length by breadth-first searches from 512 sources at once, and sorted simple edges by
// two counting sorts.
//
//     native count FILE N    or    native distances FILE N    or    native build FILE N
//
// FILE holds the pairs of the graph as 32-bit integers. Prints processor seconds without reading, and what was found.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fstream>
#include <numeric>
#include <string>
#include <vector>

using Vertex = int32_t;
using Vertices = std::vector<Vertex>;

struct Edge {
    Vertex u, v;
};
using Edges = std::vector<Edge>;

Edges read_pairs(const char* path) {
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    Edges edges(static_cast<size_t>(file.tellg()) / sizeof(Edge));
    file.seekg(0);
    file.read(reinterpret_cast<char*>(edges.data()), static_cast<std::streamsize>(edges.size() * sizeof(Edge)));
    return edges;
}

// Sums before each place, from counts that stand one place further on.
void add_up(Vertices& start) { std::partial_sum(start.begin(), start.end(), start.begin()); }

// ---------------------------------------------------------------------- mutual friends

Vertices rank_by_degree(const Edges& edges, Vertex n) {
    Vertices degree(n, 0);
    for (const Edge& edge : edges) ++degree[edge.u], ++degree[edge.v];
    Vertices first(n ? *std::max_element(degree.begin(), degree.end()) + 2 : 1, 0), rank(n);
    for (Vertex v = 0; v < n; ++v) ++first[degree[v] + 1];
    add_up(first);
    for (Vertex v = 0; v < n; ++v) rank[v] = first[degree[v]]++;
    return rank;
}

Vertices mutual_friends(const Edges& edges, Vertex n) {
    const Vertices rank = rank_by_degree(edges, n);
    const auto tail = [&](const Edge& edge) { return std::min(rank[edge.u], rank[edge.v]); };
    Vertices start(n + 1, 0), head(edges.size()), over(edges.size(), 0), marked(n, -1);
    for (const Edge& edge : edges) ++start[tail(edge) + 1];
    add_up(start);
    Vertices next(start.begin(), start.end() - 1);
    for (const Edge& edge : edges) head[next[tail(edge)]++] = std::max(rank[edge.u], rank[edge.v]);
    for (Vertex a = 0; a < n; ++a) {
        for (Vertex ab = start[a]; ab < start[a + 1]; ++ab) marked[head[ab]] = ab;
        for (Vertex ab = start[a]; ab < start[a + 1]; ++ab) {
            const Vertex b = head[ab];
            Vertex found = 0;
            for (Vertex bc = start[b]; bc < start[b + 1]; ++bc) {
                const Vertex ac = marked[head[bc]];
                if (ac >= 0) ++found, ++over[ac], ++over[bc];
            }
            over[ab] += found;
        }
        for (Vertex ab = start[a]; ab < start[a + 1]; ++ab) marked[head[ab]] = -1;
    }
    Vertices counts(edges.size());
    for (size_t e = 0; e < edges.size(); ++e) counts[e] = over[start[tail(edges[e])]++];
    return counts;
}

// ---------------------------------------------------------------------- distances

constexpr int WORDS = 8, BATCH = 64 * WORDS;

struct Row {
    uint64_t word[WORDS];
};

struct Neighbours {
    Vertices start, list;
};

Neighbours neighbours_of(const Edges& edges, Vertex n) {
    Neighbours result{Vertices(n + 1, 0), Vertices(2 * edges.size())};
    for (const Edge& edge : edges) ++result.start[edge.u + 1], ++result.start[edge.v + 1];
    add_up(result.start);
    Vertices next(result.start.begin(), result.start.end() - 1);
    for (const Edge& edge : edges) result.list[next[edge.u]++] = edge.v, result.list[next[edge.v]++] = edge.u;
    return result;
}

// Numbers that neighbours have close to each other: the order of breadth-first searches from the highest degrees.
Vertices breadth_first_numbers(const Neighbours& graph, Vertex n) {
    Vertices roots(n), order, number(n, -1);
    std::iota(roots.begin(), roots.end(), 0);
    const auto degree = [&](Vertex v) { return graph.start[v + 1] - graph.start[v]; };
    std::stable_sort(roots.begin(), roots.end(), [&](Vertex a, Vertex b) { return degree(a) > degree(b); });
    const auto reach = [&](Vertex v) {
        if (number[v] < 0) number[v] = static_cast<Vertex>(order.size()), order.push_back(v);
    };
    size_t done = 0;
    for (Vertex root : roots)
        for (reach(root); done < order.size(); ++done)
            for (Vertex slot = graph.start[order[done]]; slot < graph.start[order[done] + 1]; ++slot)
                reach(graph.list[slot]);
    return number;
}

double average_path_length(Edges edges, Vertex n) {
    const Vertices number = breadth_first_numbers(neighbours_of(edges, n), n);
    for (Edge& edge : edges) edge = {number[edge.u], number[edge.v]};
    const Neighbours graph = neighbours_of(edges, n);
    std::vector<Row> seen(n), frontier(n), fresh(n);
    std::vector<char> changed(n), changing(n);
    Vertices open(n);
    uint64_t pairs = 0, total = 0;
    for (Vertex first = 0; first < n; first += BATCH) {
        const Vertex sources = std::min<Vertex>(BATCH, n - first);
        Row full{};
        std::memset(seen.data(), 0, seen.size() * sizeof(Row));
        std::fill(changed.begin(), changed.end(), 0);
        std::fill(changing.begin(), changing.end(), 0);
        for (Vertex i = 0; i < sources; ++i) {
            full.word[i / 64] |= uint64_t{1} << (i % 64);
            seen[first + i].word[i / 64] |= uint64_t{1} << (i % 64);
            frontier[first + i] = seen[first + i];
            changed[first + i] = 1;
        }
        std::iota(open.begin(), open.end(), 0);
        size_t left = n;
        bool found = true;
        for (uint64_t step = 1; found; ++step) {
            found = false;
            size_t kept = 0;
            for (size_t i = 0; i < left; ++i) {
                const Vertex u = open[i];
                Row missing, reached{};
                uint64_t any = 0;
                for (int w = 0; w < WORDS; ++w) any |= missing.word[w] = full.word[w] & ~seen[u].word[w];
                if (!any) {
                    changing[u] = 0;
                    if (changed[u]) open[kept++] = u;  // once more, so that the other array forgets it
                    continue;
                }
                open[kept++] = u;
                for (Vertex slot = graph.start[u]; slot < graph.start[u + 1] && any; ++slot) {
                    const Vertex v = graph.list[slot];
                    if (!changed[v]) continue;
                    any = 0;
                    for (int w = 0; w < WORDS; ++w) {
                        reached.word[w] |= frontier[v].word[w];
                        any |= missing.word[w] & ~reached.word[w];
                    }
                }
                uint64_t ones = 0;
                for (int w = 0; w < WORDS; ++w) {
                    reached.word[w] &= missing.word[w];
                    seen[u].word[w] |= reached.word[w];
                    ones += static_cast<uint64_t>(__builtin_popcountll(reached.word[w]));
                }
                fresh[u] = reached;
                changing[u] = ones > 0;
                found |= ones > 0;
                pairs += ones;
                total += ones * step;
            }
            left = kept;
            std::swap(frontier, fresh);
            std::swap(changed, changing);
        }
    }
    return pairs ? static_cast<double>(total) / static_cast<double>(pairs) : 0;
}

// ---------------------------------------------------------------------- building

// Sort by one end: count, add up, move each edge to its place. Keeps the order of edges with the same end.
template <Vertex Edge::*end>
Edges sort_by(const Edges& edges, Vertex n) {
    Vertices start(n + 1, 0);
    Edges sorted(edges.size());
    for (const Edge& edge : edges) ++start[edge.*end + 1];
    add_up(start);
    for (const Edge& edge : edges) sorted[start[edge.*end]++] = edge;
    return sorted;
}

Edges simple_edges(const Edges& pairs, Vertex n) {
    Edges edges;
    edges.reserve(pairs.size());
    for (const Edge& pair : pairs)
        if (pair.u != pair.v) edges.push_back({std::min(pair.u, pair.v), std::max(pair.u, pair.v)});
    edges = sort_by<&Edge::u>(sort_by<&Edge::v>(edges, n), n);
    const auto same = [](const Edge& a, const Edge& b) { return a.u == b.u && a.v == b.v; };
    edges.erase(std::unique(edges.begin(), edges.end(), same), edges.end());
    return edges;
}

// A sum that depends on the order of the edges.
double check_sum(const Edges& edges) {
    double sum = 0;
    for (size_t e = 0; e < edges.size(); ++e)
        sum += static_cast<double>(e % 1000) * edges[e].u + edges[e].v;
    return sum;
}

int main(int, char** arguments) {
    const Edges edges = read_pairs(arguments[2]);
    const Vertex n = std::stoi(arguments[3]);
    const std::string what = arguments[1];
    const std::clock_t begin = std::clock();
    std::clock_t end;
    double found;
    if (what == "count") {
        const Vertices counts = mutual_friends(edges, n);
        end = std::clock();
        found = std::accumulate(counts.begin(), counts.end(), 0.0);
    } else if (what == "build") {
        const Edges simple = simple_edges(edges, n);
        end = std::clock();
        found = check_sum(simple);
    } else {
        found = average_path_length(edges, n);
        end = std::clock();
    }
    std::printf("{\"seconds\": %.6f, \"found\": %.12g}\n", static_cast<double>(end - begin) / CLOCKS_PER_SEC, found);
}
