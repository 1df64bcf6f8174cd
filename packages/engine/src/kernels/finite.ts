/**
 * What is no number, or an infinite one, is refused: in a sum it would make everything so.
 * @throws RangeError that names the first value that is not finite, as part of `what`
 */
export function requireFinite(what: string, values: Float32Array | Float64Array): void {
  for (let at = 0; at < values.length; at++) {
    if (!Number.isFinite(values[at])) throw new RangeError(`${what} is not a finite number at ${at}`)
  }
}

/**
 * A result of sums or products: where it is not finite, neither is one of the operands, or it is too large for float32.
 * @throws RangeError for the first of these
 */
export function finiteResult(operands: Record<string, Float32Array>, result: Float32Array): Float32Array {
  if (result.every(Number.isFinite)) return result
  for (const [what, values] of Object.entries(operands)) requireFinite(what, values)
  requireFinite('result', result)
  return result
}

/**
 * What a search can look for in a matrix.
 * @throws RangeError for a query of other dimensions, and for values that are not finite
 */
export function requireQuery(query: Float32Array, dimensions: number): void {
  if (query.length !== dimensions)
    throw new RangeError(`the query has ${query.length} dimensions, the matrix ${dimensions}`)
  requireFinite('query', query)
}
