/**
 * Refuses NaN and infinite values, which would spoil every sum that they are in.
 * @throws RangeError that names the first value that is not finite, as part of `what`
 */
export function requireFinite(what: string, values: Float32Array | Float64Array): void {
  for (let at = 0; at < values.length; at++) {
    if (!Number.isFinite(values[at])) throw new RangeError(`${what} is not a finite number at ${at}`)
  }
}

/**
 * Refuses a result of sums or products that is not finite: one of the operands is not either, or it is too large for float32.
 * @returns the result
 * @throws RangeError that names the first of the operands, or else of the result, that is not finite
 */
export function finiteResult(operands: Record<string, Float32Array>, result: Float32Array): Float32Array {
  if (result.every(Number.isFinite)) return result
  for (const [what, values] of Object.entries(operands)) requireFinite(what, values)
  requireFinite('result', result)
  return result
}

/**
 * How many rows of `dimensions` numbers some values are.
 * @throws RangeError where the rows are not whole
 */
export function requireRows(values: Float32Array, dimensions: number): number {
  const count = values.length === 0 ? 0 : values.length / dimensions
  if (!Number.isInteger(count))
    throw new RangeError(`${values.length} values are no whole rows of ${dimensions} dimensions`)
  return count
}

/**
 * Checks what a search looks for in a matrix.
 * @throws RangeError for a query of other dimensions, and for values that are not finite
 */
export function requireQuery(query: Float32Array, dimensions: number): void {
  if (query.length !== dimensions)
    throw new RangeError(`the query has ${query.length} dimensions, the matrix ${dimensions}`)
  requireFinite('query', query)
}
