/** How a language joins two statements to one sentence, and two sentences to one text. */
interface Joining {
  conjunctions: readonly string[]
  /** Between sentences. */
  gap: string
  /** Languages that write nouns with a capital keep that of the second statement. */
  lowersSecond: boolean
}

const spaced = (and: string): Joining => ({
  conjunctions: [` ${and} `, `, ${and} `, '; '],
  gap: ' ',
  lowersSecond: true,
})

const joinings: Record<string, Joining> = {
  en: spaced('and'),
  fr: spaced('et'),
  de: { ...spaced('und'), lowersSecond: false },
  es: spaced('y'),
  it: spaced('e'),
  nl: spaced('en'),
  pl: spaced('i'),
  pt: spaced('e'),
  ru: spaced('и'),
  zh: { conjunctions: ['，', '，而且', '；'], gap: '', lowersSecond: false },
  ja: { conjunctions: ['、そして', '、', '。そして'], gap: '', lowersSecond: false },
}

export const languages = Object.keys(joinings)

const isSentenceEnd = /[.!?。！？…]["'”’»)]?$/u

/** "A and B", in the language's words or with its punctuation. @param choice from 0 to 1: which of the ways */
export function joinStatements(language: string, first: string, second: string, choice: number): string {
  const { conjunctions, lowersSecond } = joiningOf(language)
  const conjunction = conjunctions[Math.floor(choice * conjunctions.length)] as string
  const head = first.replace(/[.。]$/u, '')
  const isWord = /^\p{Lu}\p{Ll}/u.test(second)
  return head + conjunction + (lowersSecond && isWord ? second[0]?.toLowerCase() + second.slice(1) : second)
}

/** "A. B." */
export function joinSentences(language: string, first: string, second: string): string {
  const { gap } = joiningOf(language)
  const stop = gap === '' ? '。' : '.'
  return `${first}${isSentenceEnd.test(first) ? '' : stop}${gap}${second}`
}

function joiningOf(language: string): Joining {
  const joining = joinings[language]
  if (joining === undefined) throw new Error(`No conjunction is known of ${language}`)
  return joining
}
