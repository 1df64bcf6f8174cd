const operand = String.raw`[\p{L}\p{N}_.]*[\p{L}\p{N}_]`
/** Looked for from its beginning alone: from each of its characters on, a long one would take the square of its length. */
const operandStart = String.raw`(?<![\p{L}\p{N}_.])`
/** A short name or a number: between longer words a dash or a plus only joins them. */
const term = '(?:\\p{L}\\p{N}?|\\p{N}+)'
/** A comparison of two values, or a sum or a difference, whose sign has spaces around it: without them it may join words. */
const formula = new RegExp(
  `${operandStart}(?<left>${operand}) ?(?<comparison>>=|<=|≥|≤|!==?|≠|={1,3}|[+-]=|>|<|&&|\\|\\||[∈∉⊂⊄]) ?(?=(?<right>-?${operand}))|(?<![\\p{L}\\p{N}])(?<first>${term}) (?<sum>[+-]) (?=(?<second>${term})(?![\\p{L}\\p{N}]))`,
  'gu',
)
const turned: Readonly<Record<string, string>> = {
  '<': '>',
  '>': '<',
  '<=': '>=',
  '>=': '<=',
  '⊂': '⊃',
  '⊄': '⊅',
}
const written: Readonly<Record<string, string>> = {
  '≥': '>=',
  '≤': '<=',
  '≠': '!=',
  '!==': '!=',
  '==': '=',
  '===': '=',
}

/** The signs of a text by what stands on both sides; turned where the sides come in another order than of the alphabet. */
function signsOf(text: string): Map<string, string> {
  const signs = new Map<string, string>()
  for (const { groups = {} } of text.matchAll(formula)) {
    const { left, comparison, right, first, sum, second } = groups
    if (sum !== undefined) signs.set(`${first} ± ${second}`, sum)
    if (comparison === undefined || left === undefined || right === undefined) continue
    const sign = written[comparison] ?? comparison
    if (left <= right) signs.set(`${left} ? ${right}`, sign)
    else signs.set(`${right} ? ${left}`, turned[sign] ?? sign)
  }
  return signs
}

/** Whether another sign stands between the same two things: a > b and a < b, a + b and a - b. */
export function haveOtherSigns(one: string, other: string): boolean {
  const [signs, otherSigns] = [signsOf(one), signsOf(other)]
  return [...signs].some(([sides, sign]) => otherSigns.has(sides) && otherSigns.get(sides) !== sign)
}
