/**
 * The members of a JSON object, each with its value's text as it stands there: reading a value and writing it again would
 * round its numbers.
 * @param text valid JSON, of an object
 */
export function membersOf(text: string): [name: string, source: string][] {
  const members: [string, string][] = []
  for (let at = text.indexOf('{') + 1; ; ) {
    const start = text.indexOf('"', at)
    if (start === -1) return members
    const nameEnd = endOfString(text, start)
    const valueStart = skipSpace(text, text.indexOf(':', nameEnd) + 1)
    const valueEnd = endOfValue(text, valueStart)
    members.push([JSON.parse(text.slice(start, nameEnd)) as string, text.slice(valueStart, valueEnd)])
    const next = skipSpace(text, valueEnd)
    if (text[next] === '}') return members
    at = next + 1
  }
}

function skipSpace(text: string, from: number): number {
  let at = from
  while (/\s/.test(text.charAt(at))) at++
  return at
}

/** Behind the quote that ends the string that begins at `start`. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; ; at++) {
    const quote = text.indexOf('"', at)
    let escapes = 0
    while (text[quote - 1 - escapes] === '\\') escapes++
    if (escapes % 2 === 0) return quote + 1
    at = quote
  }
}

function endOfValue(text: string, start: number): number {
  const first = text[start]
  if (first === '"') return endOfString(text, start)
  if (first !== '{' && first !== '[') {
    const scalar = /[^\s,}]+/y
    scalar.lastIndex = start
    return start + (scalar.exec(text)?.[0].length ?? 0)
  }
  const marks = /["[\]{}]/g
  marks.lastIndex = start
  for (let depth = 0; ; ) {
    const at = marks.exec(text)?.index as number
    const mark = text[at]
    if (mark === '"') marks.lastIndex = endOfString(text, at)
    else if (mark === '{' || mark === '[') depth++
    else if (--depth === 0) return at + 1
  }
}
