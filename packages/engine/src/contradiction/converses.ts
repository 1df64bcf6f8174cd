import type { Worded } from './polarity.ts'
import { areFormsOfOne, isDeterminer, isPronoun, times } from './roles.ts'
import type { Token } from './tokens.ts'
import { excludeEachOther, type Forms, hasForm, type Lexicon, wordsOf } from './words.ts'

/** Shorter words, but for names and pronouns, say nothing of who does something. */
const leastContent = 3

/** Whether two texts say the same of two from both sides: Leo lent Hana the tent, and Hana borrowed it from Leo. */
export function areConverses(one: Worded, other: Worded): boolean {
  const { lexicon } = one
  if (lexicon !== other.lexicon) return false
  const [words, otherWords] = [wordsOf(one.reading, lexicon), wordsOf(other.reading, lexicon)]
  const group = lexicon.converses.find((each) => excludeEachOther(words, otherWords, each))
  if (group === undefined) return false
  if (lexicon.isDense) return beginsWithinOther(words, otherWords) && beginsWithinOther(otherWords, words)
  const [contents, otherContents] = [one, other].map(({ reading }) =>
    reading.tokens.filter((token) => isContent(token, lexicon, group.flat())),
  ) as [Token[], Token[]]
  const left = [...otherContents]
  for (const { key } of contents) {
    const at = left.findIndex((token) => areFormsOfOne(key, token.key))
    if (at < 0) return false
    left.splice(at, 1)
  }
  const [first, otherFirst] = [contents[0]?.key ?? '', otherContents[0]?.key ?? '']
  return left.length === 0 && !areFormsOfOne(first, otherFirst)
}

/** Whether a word is one of those that something is said of. */
function isContent(token: Token, lexicon: Lexicon, verbs: Forms): boolean {
  const { key, raw, kind, isFirst } = token
  const isOfVerb = hasForm(` ${key} `, verbs) || verbs.some(({ text }) => text.split(' ').includes(key))
  if (isOfVerb || times.has(key)) return false
  if (kind === 'number' || isPronoun(key) || (!isFirst && /^\p{Lu}/u.test(raw))) return true
  if (lexicon.common.has(key) || isDeterminer(token, lexicon)) return false
  return isFirst || key.length >= leastContent
}

/** Whether what one begins with, as far as the other has it, stands later there. */
function beginsWithinOther(one: string, other: string): boolean {
  let length = 1
  while (length < one.length && other.includes(one.slice(0, length + 1))) length++
  return one !== '' && other.indexOf(one.slice(0, length)) > 0
}
