/** Dot product of vectors of one length: the cosine of unit vectors. */
export function dot(a: Float32Array, b: Float32Array): number {
  let product = 0
  for (let i = 0; i < a.length; i++) product += (a[i] as number) * (b[i] as number)
  return product
}
