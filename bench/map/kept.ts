/** What places in a plane keep of who is near whom. */
export interface Kept {
  /** Of each point's ten nearest by the cosine, the share that is among its ten nearest in the plane. */
  kept: number
  /** 1 less what those of the ten nearest in the plane weigh that are not near (Venna & Kaski, 2001). */
  trustworthiness: number
}

const nearest = 10
/** Points whose neighbours are looked at, evenly spread. */
const asked = 1_000

/** @param vectors of length 1 @param places x and y of each */
export function kept(vectors: readonly Float32Array[], places: ArrayLike<number>): Kept {
  const count = vectors.length
  const rounds = Math.min(count, asked)
  let [same, penalty] = [0, 0]
  for (let round = 0; round < rounds; round++) {
    const point = Math.floor((round * count) / rounds)
    const query = vectors[point] as Float32Array
    const ranks = new Int32Array(count)
    const byCosine = order(count, point, (other) => -dot(query, vectors[other] as Float32Array))
    for (const [rank, other] of byCosine.entries()) ranks[other] = rank + 1
    const inPlane = order(
      count,
      point,
      (other) =>
        ((places[2 * other] as number) - (places[2 * point] as number)) ** 2 +
        ((places[2 * other + 1] as number) - (places[2 * point + 1] as number)) ** 2,
    )
    for (const other of inPlane.slice(0, nearest)) {
      const rank = ranks[other] as number
      if (rank <= nearest) same++
      else penalty += rank - nearest
    }
  }
  return {
    kept: same / (rounds * nearest),
    trustworthiness: 1 - (2 * penalty) / (rounds * nearest * (2 * count - 3 * nearest - 1)),
  }
}

/** The other points by ascending distance. */
function order(count: number, point: number, distanceOf: (other: number) => number): number[] {
  const distances = Float64Array.from({ length: count }, (_, other) => distanceOf(other))
  return Array.from({ length: count }, (_, other) => other)
    .filter((other) => other !== point)
    .sort((a, b) => (distances[a] as number) - (distances[b] as number))
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number)
  return sum
}
