/**
 * Louvain community detection (Blondel, Guillaume, Lambiotte, Lefebvre: Fast unfolding of communities in large
 * networks, 2008) on an undirected weighted graph, over plain arrays.
 *
 * Each node joins the community of a neighbour where modularity gains most, in the order of the nodes, until no move
 * gains; then communities become nodes, and all begins again until nothing joins. Nothing is drawn at random, so equal
 * input gives equal output. Every move raises modularity; `passesMax` ends a level that rounding would keep going.
 */

export interface WeightedPairs {
  /** Ends of the edges, numbered from 0; each pair once, neither order preferred. */
  readonly low: Int32Array;
  readonly high: Int32Array;
  /** Above 0. */
  readonly weight: Float64Array;
}

/** The community of each of `nodes` nodes, numbered by first appearance. */
export function louvain(nodes: number, pairs: WeightedPairs): Int32Array {
  const community = Int32Array.from({ length: nodes }, (_, at) => at);
  let level: Level = { nodes, pairs, inner: new Float64Array(nodes) };
  for (;;) {
    const { joined, count } = numbered(moveAll(level));
    if (count === level.nodes) return numbered(community).joined;
    for (let at = 0; at < nodes; at += 1) community[at] = joined[community[at] ?? 0] ?? 0;
    level = folded(level, joined, count);
  }
}

interface Level {
  readonly nodes: number;
  readonly pairs: WeightedPairs;
  /** Weight of the edges within each node, counted once. */
  readonly inner: Float64Array;
}

const passesMax = 100;
/** Smaller gains are rounding. */
const gainMin = 1e-9;

function moveAll({ nodes, pairs, inner }: Level): Int32Array {
  const { starts, others, weights } = neighbours(nodes, pairs);
  const degree = new Float64Array(nodes);
  let total = 0;
  for (let node = 0; node < nodes; node += 1) {
    let sum = 2 * (inner[node] ?? 0);
    for (let at = starts[node] ?? 0; at < (starts[node + 1] ?? 0); at += 1) sum += weights[at] ?? 0;
    degree[node] = sum;
    total += sum;
  }
  const community = Int32Array.from({ length: nodes }, (_, at) => at);
  const held = degree.slice();
  /** Weight from the node at hand to each community; `near` names those that are not 0. */
  const toward = new Float64Array(nodes);
  const near = new Int32Array(nodes);
  let moves = 1;
  for (let pass = 0; pass < passesMax && moves > 0; pass += 1) {
    moves = 0;
    for (let node = 0; node < nodes; node += 1) {
      const own = community[node] ?? 0;
      const share = total === 0 ? 0 : (degree[node] ?? 0) / total;
      let count = 0;
      for (let at = starts[node] ?? 0; at < (starts[node + 1] ?? 0); at += 1) {
        const there = community[others[at] ?? 0] ?? 0;
        if (toward[there] === 0) near[count++] = there;
        toward[there] = (toward[there] ?? 0) + (weights[at] ?? 0);
      }
      held[own] = (held[own] ?? 0) - (degree[node] ?? 0);
      let best = own;
      let most = (toward[own] ?? 0) - (held[own] ?? 0) * share;
      for (let at = 0; at < count; at += 1) {
        const there = near[at] ?? 0;
        const gain = (toward[there] ?? 0) - (held[there] ?? 0) * share;
        if (gain > most + gainMin) {
          best = there;
          most = gain;
        }
      }
      for (let at = 0; at < count; at += 1) toward[near[at] ?? 0] = 0;
      held[best] = (held[best] ?? 0) + (degree[node] ?? 0);
      if (best !== own) {
        community[node] = best;
        moves += 1;
      }
    }
  }
  return community;
}

/** The edges of each node, one after the other. */
function neighbours(nodes: number, { low, high, weight }: WeightedPairs) {
  const starts = new Int32Array(nodes + 1);
  for (const ends of [low, high]) for (const node of ends) starts[node + 1] = (starts[node + 1] ?? 0) + 1;
  for (let node = 0; node < nodes; node += 1) starts[node + 1] = (starts[node + 1] ?? 0) + (starts[node] ?? 0);
  const next = starts.slice();
  const others = new Int32Array(2 * low.length);
  const weights = new Float64Array(2 * low.length);
  const put = (from: number, to: number, value: number): void => {
    const at = next[from] ?? 0;
    others[at] = to;
    weights[at] = value;
    next[from] = at + 1;
  };
  for (let at = 0; at < low.length; at += 1) {
    put(low[at] ?? 0, high[at] ?? 0, weight[at] ?? 0);
    put(high[at] ?? 0, low[at] ?? 0, weight[at] ?? 0);
  }
  return { starts, others, weights };
}

/** The same communities with numbers from 0, by first appearance. */
function numbered(community: Int32Array): { readonly joined: Int32Array; readonly count: number } {
  const numbers = new Map<number, number>();
  const joined = community.map((one) => {
    const known = numbers.get(one) ?? numbers.size;
    numbers.set(one, known);
    return known;
  });
  return { joined, count: numbers.size };
}

/** Communities as nodes, the edges between them summed. */
function folded({ nodes, pairs, inner }: Level, joined: Int32Array, count: number): Level {
  const within = new Float64Array(count);
  const between = new Map<number, number>();
  for (let node = 0; node < nodes; node += 1) {
    const own = joined[node] ?? 0;
    within[own] = (within[own] ?? 0) + (inner[node] ?? 0);
  }
  for (let at = 0; at < pairs.low.length; at += 1) {
    const one = joined[pairs.low[at] ?? 0] ?? 0;
    const other = joined[pairs.high[at] ?? 0] ?? 0;
    const value = pairs.weight[at] ?? 0;
    if (one === other) within[one] = (within[one] ?? 0) + value;
    else {
      const key = Math.min(one, other) * count + Math.max(one, other);
      between.set(key, (between.get(key) ?? 0) + value);
    }
  }
  return { nodes: count, pairs: pairsOf(between, count), inner: within };
}

/** Pairs of nodes by `low * nodes + high`, in ascending order. */
export function pairsOf(weights: ReadonlyMap<number, number>, nodes: number): WeightedPairs {
  const keys = Float64Array.from(weights.keys()).sort();
  return {
    low: Int32Array.from(keys, (key) => Math.floor(key / nodes)),
    high: Int32Array.from(keys, (key) => key % nodes),
    weight: Float64Array.from(keys, (key) => weights.get(key) ?? 0),
  };
}
