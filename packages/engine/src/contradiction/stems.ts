/** Letters of Arabic and Hebrew that are written together with the next word, or tell the person of a verb. */
const proclitic = /^(?:[وف]?(?:ال|لل|بال|كال|[بلك])|و|[ושהבלכמ]{1,2}|[يتان])(?=.{2})/u

export const withoutProclitic = (word: string): string => word.replace(proclitic, '')

/** Most letters that an ending may have. */
const endingMax = 4

/** Whether two words may be forms of one: they begin the same, and only short endings differ. */
export function isSameStem(one: string, other: string): boolean {
  const candidates = [
    [one, other],
    [withoutProclitic(one), withoutProclitic(other)],
    [withoutProclitic(one), other],
    [one, withoutProclitic(other)],
  ] as const
  return candidates.some(([a, b]) => {
    const shared = sharedBeginning(a, b)
    const [rest, otherRest] = [a.length - shared, b.length - shared]
    if (rest === 0 && otherRest === 0) return true
    const [shortest, longest] = [Math.min(a.length, b.length), Math.max(rest, otherRest)]
    return shared >= 2 && shared >= shortest - 2 && longest <= (shared === 2 ? 2 : endingMax)
  })
}

export function sharedBeginning(a: string, b: string): number {
  let length = 0
  while (length < a.length && a[length] === b[length]) length++
  return length
}
