/** A text in Unicode NFC with its white space folded: what differs from it in nothing else has the same embedding. */
export function foldText(text: string): string {
  return text
    .normalize('NFC')
    .replaceAll(/\p{White_Space}+/gu, ' ')
    .replaceAll(/^ | $/g, '')
}
