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
 * Languages whose score is at least this share of the best one's are possible too: a Russian sentence scores nearly as high as Serbian
 * and Ukrainian. The shorter a text, the less a lead says, above all where half of its words are names: "Pedro owes Hana forty
 * euros." scores highest as Portuguese. Of pairs of sentences of one language 0.3 % count as foreign with `nearMax` whatever the
 * length, and 0.03 % so; of pairs in different ones 93 % and 89 %.
 */
const nearMax = 0.95
/** The share that a lead must have grows with the length as 1 - leadCharacters / length. */
const leadCharacters = 6
const nearOf = (length: number): number => Math.min(nearMax, 1 - leadCharacters / length)

/**
 * The languages that a text may be written in, judged by its beginning.
 * @returns ISO 639-1 codes separated by spaces, the likeliest first; undefined if the text says too little
 */
export function languagesOf(text: string): string | undefined {
  const start = text.slice(0, charactersOfLanguage)
  if (start.length < lettersMin && sharedScript.test(start)) return undefined
  const near = languageScores(start, nearOf(start.length))
  return near[0]?.isTypical ? near.map(({ language }) => language).join(' ') : undefined
}

/** `foreign`: two texts are in different languages for sure. `untold`: they may be, or it is not known. */
export type Kinship = 'same' | 'foreign' | 'untold'

/**
 * Whether two texts are in the same language. Both likeliest languages must be the same; for sure they are in different ones where neither's
 * likeliest is among the other's possible ones.
 * @param a, b as returned by `languagesOf`
 */
export function compareLanguages(a: string | undefined, b: string | undefined): Kinship {
  if (a === undefined || b === undefined) return 'untold'
  const [ofA, ofB] = [a.split(' '), b.split(' ')]
  const [likeliestA, likeliestB] = [ofA[0] as string, ofB[0] as string]
  if (likeliestA === likeliestB) return 'same'
  return ofB.includes(likeliestA) || ofA.includes(likeliestB) ? 'untold' : 'foreign'
}
