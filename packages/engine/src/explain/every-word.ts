import { isDense } from '../belief/text-ngrams.ts'
import { fold } from '../lexical/tokenise.ts'
import { isOfAsking } from './asking.ts'
import { explanationLanguages } from './languages.ts'
import { contentWords } from './terms.ts'

/**
 * A test of whether a text has every word that says what a query is about, as "Who is Mona?" is about Mona: such a text bears
 * on it however far its embedding is, which tells little of a name, or of a word that is a small part of the text.
 */
export function everyWordOf(query: string): (text: string) => boolean {
  const words = aboutOf(query)
    .map((word) => {
      const pieces = piecesOf(fold(word))
      const written = pieces.join(' ')
      // Where words are not set apart, nothing tells where one ends.
      return { pieces, written: isDense(word) ? written : ` ${written} ` }
    })
    .sort((a, b) => b.written.length - a.written.length)
  const [longest] = words
  return (text) => {
    const folded = fold(text)
    // Most texts lack the longest word, which is found out soonest.
    if (longest === undefined || !longest.pieces.every((piece) => folded.includes(piece))) return false
    const spaced = ` ${piecesOf(folded).join(' ')} `
    return words.every(({ written }) => spaced.includes(written))
  }
}

const piecesOf = (folded: string): string[] => folded.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []

/** The words of a query that are small ones in no language, and do not say how it asks. */
function aboutOf(query: string): string[] {
  const [first = new Map<string, string>(), ...others] = explanationLanguages.map((language) =>
    contentWords(query, language),
  )
  return [...first]
    .filter(([folded]) => others.every((words) => words.has(folded)) && !isOfAsking(folded))
    .map(([, word]) => word)
}
