import { isSameStem } from './stems.ts'
import type { Token } from './tokens.ts'
import { hasForm, type Worded, wordsOf } from './words.ts'

/** How a compound ends that says that there is none of what it begins with: zuckerfrei, suikervrij, sockerfri. */
const freeEnding: Readonly<Record<string, RegExp>> = {
  de: /^(?<what>.{4,}?)s?frei(?:e[nmrs]?)?$/u,
  nl: /^(?<what>.{4,}?)s?vrije?$/u,
  sv: /^(?<what>.{4,}?)s?fri(?:tt|a)?$/u,
  da: /^(?<what>.{4,}?)s?frie?$/u,
}

/** Whether one text says that something is free of what it has in the other: sugar-free. */
export const isFreeOf = (one: Worded, other: Worded): boolean =>
  one.lexicon === other.lexicon &&
  [one, other].every((text) => !hasForm(wordsOf(text.reading, text.lexicon), text.lexicon.negations)) &&
  (isLacking(one, other) || isLacking(other, one))

/** Whether a text says that something is free of what the other has a word for, and does not say to be without. */
export function isLacking(free: Worded, { reading, lexicon }: Worded): boolean {
  const what = lackedIn(free)
  const has = ({ key }: Token) => what.some((each) => isSameStem(each, key))
  return lackedIn({ reading, lexicon }).length === 0 && reading.tokens.some(has)
}

/** What a text says that something is free of. */
function lackedIn({ reading: { tokens }, lexicon: { code } }: Worded): string[] {
  const ending = freeEnding[code]
  return tokens.flatMap(({ key, isJoined }, at) => {
    if (code === 'en') return key === 'free' && isJoined ? [tokens[at - 1]?.key ?? ''] : []
    return ending?.exec(key)?.groups?.what ?? []
  })
}
