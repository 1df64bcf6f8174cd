import { isDense } from '../belief/text-ngrams.ts'
import { fold } from '../lexical/tokenise.ts'
import { isOfAsking } from './asking.ts'
import { explanationLanguages } from './languages.ts'
import { contentWords } from './terms.ts'

/**
 * Finds whether texts have every word that says what a query is about, as "Who is Mona?" is about Mona: such a text bears on it
 * however far its embedding is, which tells little of a name, or of a word that is a small part of the text.
 */
export function everyWordOf(query: string): (text: string) => boolean {
  const words = aboutOf(query)
  return (text) => {
    const folded = fold(text)
    return words.length > 0 && words.every((word) => hasWord(folded, word))
  }
}

function hasWord(folded: string, word: string): boolean {
  const pieces = fold(word).match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  // Most texts are told by this alone, which takes least time.
  if (!pieces.every((piece) => folded.includes(piece))) return false
  const written = pieces.join(String.raw`[^\p{L}\p{M}\p{N}]+`)
  // Where words are not set apart, nothing tells where one ends.
  const whole = isDense(word) ? written : String.raw`(?<![\p{L}\p{M}\p{N}])${written}(?![\p{L}\p{M}\p{N}])`
  return new RegExp(whole, 'u').test(folded)
}

/** The words of a query that are small ones in no language, and do not say how it asks. */
function aboutOf(query: string): string[] {
  const [first = new Map<string, string>(), ...others] = explanationLanguages.map((language) =>
    contentWords(query, language),
  )
  return [...first]
    .filter(([folded]) => others.every((words) => words.has(folded)) && !isOfAsking(folded))
    .map(([, word]) => word)
}
