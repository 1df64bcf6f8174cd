import { hasDenyingWord } from './says-no-alike.ts'
import { isSameStem } from './stems.ts'
import type { Token } from './tokens.ts'
import { hasForm, isWeekday, type Lexicon, type Worded, wordsOf } from './words.ts'

/** How a word ends that says that there is none of what it begins with: childless, zuckerfrei, suikervrij, sockerfri. */
const freeEnding: Readonly<Record<string, RegExp>> = {
  en: /^(?!un|regard|price|count|use|end|time)(?<what>.{3,})less$/u,
  // Where school or work is off nobody says that there is none; what is beyond reproach is just good.
  de: /^(?!(?:schul|arbeit|dienst|unterricht|vorlesung|einwand).*frei)(?<what>.{4,}?)s?(?:frei|los)(?:e[nmrs]?)?$/u,
  nl: /^(?<what>.{4,}?)s?(?:vrije?|lo(?:os|ze))$/u,
  sv: /^(?<what>.{4,}?)s?(?:fri(?:tt|a)?|los[at]?)$/u,
  da: /^(?<what>.{4,}?)s?(?:fri(?:e|tt?)?|l(?:o|ø)st?e?)$/u,
}

/** The same in two words, before what there is none of: free of gluten. */
const freeBefore: Readonly<Record<string, RegExp>> = {
  en: /^free (?:of|from)$/u,
  de: /^frei von$/u,
  nl: /^vrij van$/u,
  sv: /^fri(?:a|tt)? fran$/u,
  da: /^fri(?:e|tt?)? (?:for|fra)$/u,
}
const zero = /^(?:0|zero|null|nul|noll)$/u

/** Whether one text says that something is free of what it has in the other: sugar-free. */
export const isFreeOf = (one: Worded, other: Worded): boolean =>
  one.lexicon === other.lexicon &&
  [one, other].every((text) => !hasForm(wordsOf(text.reading, text.lexicon), text.lexicon.negations)) &&
  ((isLacking(one, other) && !refuses(other)) || (isLacking(other, one) && !refuses(one)))

/** Whether a text may say in other words that there is none: cars are banned, zero sugar. */
const refuses = (text: Worded): boolean =>
  hasDenyingWord(text) || text.reading.tokens.some(({ key }) => zero.test(key))

/** Whether a text says that something is free of what the other has a word for, and does not say to be without. */
export function isLacking(free: Worded, { reading, lexicon }: Worded): boolean {
  const what = lackedIn(free)
  const has = ({ key }: Token) => what.some((each) => isSameStem(each, key))
  return lackedIn({ reading, lexicon }).length === 0 && reading.tokens.some(has)
}

/** What a text says that something is free of. */
function lackedIn({ reading: { tokens }, lexicon }: Worded): string[] {
  const { code } = lexicon
  const ending = freeEnding[code]
  return tokens.flatMap(({ key, isJoined }, at) => {
    const [next, what] = [tokens[at + 1], tokens[at + 2]]
    if (freeBefore[code]?.test(`${key} ${next?.key}`) === true)
      return what === undefined || isTime(what, lexicon) ? [] : [what.key]
    if (code === 'en' && key === 'free') return isJoined ? [tokens[at - 1]?.key ?? ''] : []
    return ending?.exec(key)?.groups?.what ?? []
  })
}

/** Somebody may be free from Monday on. */
const isTime = ({ key, kind }: Token, lexicon: Lexicon): boolean =>
  kind === 'number' || lexicon.months.has(key) || isWeekday(key, lexicon)
