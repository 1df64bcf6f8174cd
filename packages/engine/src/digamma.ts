/** From this x on, the terms of the asymptotic expansion that are used give full double precision. */
const expansionMin = 12

/**
 * The digamma function psi(x) = d ln Gamma(x) / dx for x > 0: psi(x) = psi(x + 1) - 1/x up to where the asymptotic
 * expansion ln x - 1/(2x) - sum_n B_2n / (2n x^2n) is exact enough (Bernardo, Algorithm AS 103, Applied Statistics
 * 25(3), 1976; Abramowitz and Stegun, 6.3.5 and 6.3.18).
 * @throws RangeError for x not above 0
 */
export function digamma(x: number): number {
  if (!(x > 0)) throw new RangeError('digamma is for numbers above 0')
  let shifted = x
  let sum = 0
  for (; shifted < expansionMin; shifted++) sum -= 1 / shifted
  const s = 1 / (shifted * shifted)
  const series = s * (1 / 12 - s * (1 / 120 - s * (1 / 252 - s * (1 / 240 - s * (1 / 132)))))
  return sum + Math.log(shifted) - 0.5 / shifted - series
}
