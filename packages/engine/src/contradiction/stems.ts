/** Letters of Arabic and Hebrew that are written together with the next word, or tell the person of a verb. */
const proclitic = /^(?:[وف]?(?:ال|لل|بال|كال|[بلك])|و|[ושהבלכמ]{1,2}|[يتان])(?=.{2})/u

export const withoutProclitic = (word: string): string => word.replace(proclitic, '')

/** Particles of Korean that tell the role of the word before them. */
const particle = /(?<=^\p{Script=Hangul}+)(?:에게서?|한테서?|에서|으?로|이|가|을|를|은|는|의|와|과|에|도)$/u
const withoutParticle = (word: string): string => word.replace(particle, '')

/** Words of Slavic languages may lose a vowel before their endings: pies, psa. */
const withoutVowels = (word: string): string => word.replaceAll(/[aeiouyąęаеиоуыіїюяьєё]/gu, '')
/** Only short words do so far that their beginnings differ. */
const longestFleeting = 5

/** Whether the beginning of two short words is the same but for a vowel that comes and goes. */
export const isSameFleeting = (one: string, other: string): boolean =>
  one[0] === other[0] &&
  Math.max(one.length, other.length) <= longestFleeting &&
  withoutVowels(one).length >= 2 &&
  withoutVowels(one) === withoutVowels(other)

/** Most letters that an ending may have. */
const endingMax = 4

/** Whether two words may be forms of one: they begin the same, and only short endings differ. */
export function isSameStem(one: string, other: string): boolean {
  const candidates = [
    [one, other],
    [withoutProclitic(one), withoutProclitic(other)],
    [withoutProclitic(one), other],
    [one, withoutProclitic(other)],
    [withoutParticle(one), withoutParticle(other)],
  ] as const
  return candidates.some(([a, b]) => {
    const shared = sharedBeginning(a, b)
    const [rest, otherRest] = [a.length - shared, b.length - shared]
    if (rest === 0 && otherRest === 0) return true
    const [shortest, longest] = [Math.min(a.length, b.length), Math.max(rest, otherRest)]
    return shared >= 2 && shared >= shortest - 2 && longest <= (shared === 2 ? 2 : endingMax)
  })
}

/** How many UTF-16 units two texts have in common at their beginnings. */
export function sharedBeginning(a: string, b: string): number {
  let length = 0
  while (length < a.length && a[length] === b[length]) length++
  return length
}

/** How many UTF-16 units two texts have in common at their ends. */
export const sharedEnding = (a: string, b: string): number => sharedBeginning(reversed(a), reversed(b))
const reversed = (text: string): string => [...text].reverse().join('')
