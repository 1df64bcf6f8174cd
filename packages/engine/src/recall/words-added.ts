import { isOfAsking, wantedOf } from '../explain/asking.ts'
import { fold } from '../lexical/tokenise.ts'
import { asksQuestion } from './question.ts'
import { oneWord } from './word-set.ts'

/** The folded words of a text; in scripts without white space between words, its characters. */
export const wordsOf = (text: string): string[] => fold(text).match(oneWord) ?? []

/** How many of its words the query has: "my new dog" is asked of as "my dog" is. */
const sharedMin = 0.75
/** Words that say nothing of their own. */
const fillers = new Set(
  'the for and with der die das den dem des für mit und les des une pour avec los las una por para con del della per voor het een van och för'.split(
    ' ',
  ),
)

/** Whether the query has nearly all words of a text that say what it is about: "Where does Ada work?" is about Ada and work. */
export function addsNothing(text: string, words: ReadonlySet<string>): boolean {
  const about = wordsOf(wantedOf(text)).filter(
    (word) => !isOfAsking(word) && !isSmall(word) && !fillers.has(word),
  )
  const missing = about.filter((word) => !words.has(word))
  if (missing.length === about.length) return false
  // Without its mark a question may be a note: "How to open the gate - 421".
  return missing.length <= (asksQuestion(text) ? (1 - sharedMin) * about.length : 0)
}

/** "My", "is", "de": of two letters that have cases, or fewer. */
const isSmall = (word: string): boolean => /^\p{Ll}{1,2}$/u.test(word)
