import { languageScores } from './letter-statistics.ts'

/** More of a text says nothing new of its language. */
export const charactersOfLanguage = 200

/**
 * A text of fewer letters, in a script that many languages share, says too little: "Lisbon trip" is taken for Portuguese.
 * Others are told by few.
 */
const lettersMin = 20
const sharedScript = /^[\p{sc=Latin}\p{sc=Cyrillic}\p{sc=Arabic}\p{sc=Devanagari}\P{L}]*$/u

/**
 * Languages this near to the best, as a share of its score, may be meant as well: "Pedro lives in Madrid" looks Catalan a little
 * more than English, and a Russian sentence nearly as much Serbian and Ukrainian.
 */
const nearMin = 0.95

/**
 * The languages that a text may be written in, from its beginning.
 * @returns codes of ISO 639-1, the likeliest first, with spaces between; undefined where the text says too little
 */
export function languagesOf(text: string): string | undefined {
  const start = text.slice(0, charactersOfLanguage)
  if (start.length < lettersMin && sharedScript.test(start)) return undefined
  const near = languageScores(start, nearMin)
  return near[0]?.isTypical ? near.map(({ language }) => language).join(' ') : undefined
}

/** Whether the likeliest language of neither text may be that of the other. @param a as `languagesOf` tells, like b */
export function areForeign(a: string | undefined, b: string | undefined): boolean {
  if (a === undefined || b === undefined) return false
  const [ofA, ofB] = [a.split(' '), b.split(' ')]
  return !ofB.includes(ofA[0] as string) && !ofA.includes(ofB[0] as string)
}
