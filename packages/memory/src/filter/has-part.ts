/** Up to so many units `includes` takes no longer than a search by borders, whatever the text. */
const headLength = 32

/**
 * Whether a text has a part, in time linear in both. `includes` takes the product of the two where the part is such as `ab` and
 * thousands of `a`, and the text such as thousands of `a`.
 */
export function hasPart(text: string, part: string): boolean {
  if (part.length > text.length) return false
  const first = text.indexOf(part.slice(0, headLength))
  return first !== -1 && (part.length <= headLength || findPart(text, part, first))
}

/** The search of Knuth, Morris and Pratt: what matched of the part says how far it can be moved on. */
function findPart(text: string, part: string, first: number): boolean {
  const borders = bordersOf(part)
  let matched = 0
  for (let at = first; at < text.length; at++) {
    matched = extended(part, borders, matched, text.charCodeAt(at))
    if (matched === part.length) return true
  }
  return false
}

/** For each beginning of a part, how long its longest border is: what it begins and ends with, but not all of it. */
function bordersOf(part: string): Int32Array {
  const borders = new Int32Array(part.length)
  let border = 0
  for (let at = 1; at < part.length; at++) {
    border = extended(part, borders, border, part.charCodeAt(at))
    borders[at] = border
  }
  return borders
}

/** How much of a part matches, where so much did before one more unit. */
function extended(part: string, borders: Int32Array, matched: number, unit: number): number {
  let left = matched
  while (left > 0 && part.charCodeAt(left) !== unit) left = borders[left - 1] as number
  return part.charCodeAt(left) === unit ? left + 1 : left
}
