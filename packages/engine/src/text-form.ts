/** A text in Unicode NFC with its white space folded: what differs from it in nothing else has the same embedding. */
export function foldText(text: string): string {
  const folded = text.normalize('NFC').replaceAll(unfolded, ' ')
  const [start, end] = [folded.startsWith(' ') ? 1 : 0, folded.endsWith(' ') ? -1 : undefined]
  return start === 0 && end === undefined ? folded : folded.slice(start, end)
}

/** Of ASCII alone, which has no accents, and no two ways of writing a character. */
export const isAscii = (text: string): boolean => /^\p{ASCII}*$/u.test(text)

/** White space but a space by itself, which most is. */
const unfolded = /\p{White_Space}{2,}|(?! )\p{White_Space}/gu
