import type { Random } from '../random.ts'
import type { Neighbours } from './neighbours.ts'

/** Pairs of neighbours, each once, with a weight in (0, 1] that says how near they are. */
export interface Edges {
  from: Int32Array
  to: Int32Array
  weights: Float32Array
}

/** Steps of the bisection that finds the width within which a point's neighbours lie. */
const widthSteps = 24

/**
 * Weighs neighbours: 1 for a point's nearest, less the further away another is beside the point's others, and the
 * probabilistic sum a + b - ab of both directions (McInnes, Healy & Melville, UMAP, arXiv:1802.03426, Section 3.1).
 */
export function neighbourEdges({ points, distances }: Neighbours, k: number): Edges {
  const count = points.length / k
  const weights = new Float32Array(points.length)
  for (let point = 0; point < count; point++) weigh(points, distances, weights, point * k, k)
  const edges: { from: number[]; to: number[]; weights: number[] } = { from: [], to: [], weights: [] }
  const weightOf = (from: number, to: number) => {
    for (let n = 0; n < k; n++) if (points[from * k + n] === to) return weights[from * k + n] as number
    return 0
  }
  for (let from = 0; from < count; from++) {
    for (let n = 0; n < k; n++) {
      const to = points[from * k + n] as number
      if (to === -1) continue
      const [there, back] = [weights[from * k + n] as number, weightOf(to, from)]
      // Both directions are one edge, which the first of its points has.
      if (back > 0 && to < from) continue
      edges.from.push(from)
      edges.to.push(to)
      edges.weights.push(there + back - there * back)
    }
  }
  return {
    from: Int32Array.from(edges.from),
    to: Int32Array.from(edges.to),
    weights: Float32Array.from(edges.weights),
  }
}

/**
 * Sets the weights exp(-(distance - nearest) / width) of a point's n neighbours, with the width by which they sum up to
 * log2(n + 1).
 */
function weigh(points: Int32Array, distances: Float32Array, weights: Float32Array, start: number, k: number) {
  let there = 0
  while (there < k && points[start + there] !== -1) there++
  if (there === 0) return
  const nearest = distances[start] as number
  const wanted = Math.log2(there + 1)
  let [low, high, width] = [0, Number.POSITIVE_INFINITY, 1]
  for (let step = 0; step < widthSteps; step++) {
    let sum = 0
    for (let n = 0; n < there; n++) sum += Math.exp(-((distances[start + n] as number) - nearest) / width)
    if (sum > wanted) high = width
    else low = width
    width = high === Number.POSITIVE_INFINITY ? 2 * width : (low + high) / 2
    // All as near as the nearest: nothing tells them apart.
    if (width < 1e-6) break
  }
  width = Math.max(width, 1e-6)
  for (let n = 0; n < there; n++) {
    weights[start + n] = Math.exp(-((distances[start + n] as number) - nearest) / width)
  }
}

/**
 * a and b of UMAP's curve 1 / (1 + a distance^2b), by which nearness on the map falls, for points that stay 0.1 apart (its
 * default).
 */
const [curveA, curveB] = [1.577, 0.8951]
/** Others at random that the points of an edge are kept away from, each time that these are drawn together. */
const repelled = 3
/** Longest step of a point along either axis, as in UMAP. */
const stepMax = 4

/**
 * Draws neighbours together and keeps others apart, for some of all rounds, in place: UMAP's stochastic gradient descent,
 * with steps that grow smaller to the last round. Every edge is drawn in a share of the rounds that is its weight.
 * @param places two numbers a point
 */
export function relaxLayout(
  places: Float32Array,
  { from, to, weights }: Edges,
  [firstRound, endRound]: readonly [number, number],
  rounds: number,
  random: Random,
): void {
  const count = places.length / 2
  for (let round = firstRound; round < endRound; round++) {
    const rate = 1 - round / rounds
    for (let edge = 0; edge < from.length; edge++) {
      const weight = weights[edge] as number
      // As often as the weight says, evenly over the rounds.
      if (Math.floor((round + 1) * weight) === Math.floor(round * weight)) continue
      const a = 2 * (from[edge] as number)
      const b = 2 * (to[edge] as number)
      draw(places, a, b, rate)
      for (let n = 0; n < repelled; n++) {
        // Each end in turn.
        const end = n % 2 === 0 ? a : b
        const other = 2 * Math.floor(random() * count)
        if (other !== end) repel(places, end, other, rate)
      }
    }
  }
}

function draw(places: Float32Array, a: number, b: number, rate: number): void {
  const dx = (places[a] as number) - (places[b] as number)
  const dy = (places[a + 1] as number) - (places[b + 1] as number)
  const squared = dx * dx + dy * dy
  if (squared === 0) return
  const power = squared ** curveB
  const pull = (-2 * curveA * curveB * (power / squared)) / (curveA * power + 1)
  const [stepX, stepY] = [rate * bounded(pull * dx), rate * bounded(pull * dy)]
  places[a] = (places[a] as number) + stepX
  places[a + 1] = (places[a + 1] as number) + stepY
  places[b] = (places[b] as number) - stepX
  places[b + 1] = (places[b + 1] as number) - stepY
}

function repel(places: Float32Array, a: number, b: number, rate: number): void {
  const dx = (places[a] as number) - (places[b] as number)
  const dy = (places[a + 1] as number) - (places[b + 1] as number)
  const squared = dx * dx + dy * dy
  if (squared === 0) return
  const push = (2 * curveB) / ((0.001 + squared) * (curveA * squared ** curveB + 1))
  places[a] = (places[a] as number) + rate * bounded(push * dx)
  places[a + 1] = (places[a + 1] as number) + rate * bounded(push * dy)
}

const bounded = (step: number): number => (step > stepMax ? stepMax : step < -stepMax ? -stepMax : step)
