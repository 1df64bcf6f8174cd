import { languageScores } from './letter-statistics.ts'

/** How much of a text is looked at, in UTF-16 units: more would say nothing new about its language. */
export const charactersOfLanguage = 200

/**
 * In a script that many languages share, a text shorter than this says too little: "Lisbon trip" would be taken for Portuguese.
 * In other scripts a few characters suffice.
 */
const lettersMin = 20
const sharedScript = /^[\p{sc=Latin}\p{sc=Cyrillic}\p{sc=Arabic}\p{sc=Devanagari}\P{L}]*$/u

/**
 * Languages whose score is at least this share of the best one's are possible too: "Pedro lives in Madrid" scores a little higher
 * as Catalan than as English, and a Russian sentence nearly as high as Serbian and Ukrainian.
 */
const nearMin = 0.95

/**
 * The languages that a text may be written in, judged by its beginning.
 * @returns ISO 639-1 codes separated by spaces, the likeliest first; undefined if the text says too little
 */
export function languagesOf(text: string): string | undefined {
  const start = text.slice(0, charactersOfLanguage)
  if (start.length < lettersMin && sharedScript.test(start)) return undefined
  const near = languageScores(start, nearMin)
  return near[0]?.isTypical ? near.map(({ language }) => language).join(' ') : undefined
}

/**
 * Whether two texts are in different languages for sure: neither's likeliest language is among the other's possible ones.
 * @param a, b as returned by `languagesOf`
 */
export function areForeign(a: string | undefined, b: string | undefined): boolean {
  if (a === undefined || b === undefined) return false
  const [ofA, ofB] = [a.split(' '), b.split(' ')]
  return !ofB.includes(ofA[0] as string) && !ofA.includes(ofB[0] as string)
}
