import { fence } from '@memory/shared/platform/fence'
import type { Compute, Requester } from '../compute.ts'
import { contentsOf, cutTo, fencedShown, type Line } from './line.ts'
import type { ContextFormat } from './schema.ts'

/** A line takes an eighth of the budget at most: one long text is not all that is known. */
const lineShare = 1 / 8
/** Of a small budget it may take more, so that a passage has room, and of a large one less. */
const [leastLine, mostLine] = [256, 1_024]
/** Lines whose tokens are counted at a time. */
const measuredAtOnce = 64
/** An id, a date and a word take so many: where less is left no line has room. */
const shortestLine = 24
/** How often a text is cut until its line is short enough. */
const cuts = 4
/** What is longer is cut before its tokens are counted: few texts have more characters a token. */
const charsOfToken = 8

const lineTokens = (budget: number): number =>
  Math.min(mostLine, Math.max(leastLine, Math.floor(lineShare * budget)))

/** Characters that a line's text has at most. */
export const lineChars = (budget: number): number => charsOfToken * lineTokens(budget)

/** Lines that a number of tokens has room for at most. */
export const linesIn = (tokens: number): number => Math.ceil(tokens / shortestLine)

/** A line that has room, and what it takes. */
export interface Taken {
  line: Line
  tokens: number
}

/** Counts tokens of texts. */
export type CountTokens = (texts: readonly string[]) => Promise<number[]>

export const countWith =
  (compute: Pick<Compute, 'countTokens'>, requester: Requester): CountTokens =>
  (texts) =>
    compute.countTokens(requester, texts, 'search')

/** What a budget is spent on beside lines. */
export interface Frame {
  /** Tokens of the marks. */
  marks: number
  /** Tokens that the tokenizer adds to any text: a line among others has them not. */
  specials: number
}

export async function frameOf(count: CountTokens, format: ContextFormat): Promise<Frame> {
  const [specials = 0, fenced = 0] = await count(['', fence([])])
  return { marks: format === 'messages' ? 2 * fenced : fenced, specials }
}

/**
 * The first of some lines that have room together, each cut to what a line may take.
 * `cuts` says whether a line is cut to the room too; else one that is longer is left for others to show whole
 */
export async function take(
  count: CountTokens,
  lines: readonly Line[],
  { room, budget, specials, cuts }: { room: number; budget: number; specials: number; cuts: boolean },
): Promise<Taken[]> {
  const taken: Taken[] = []
  const longest = cuts ? Math.min(room, lineTokens(budget)) : lineTokens(budget)
  let left = room
  let looked = 0
  while (looked < lines.length && left >= shortestLine) {
    const part = lines.slice(looked, looked + measuredAtOnce)
    looked += part.length
    for (const one of await measure(count, part, longest, specials)) {
      if (one.tokens > left) continue
      taken.push(one)
      left -= one.tokens
    }
  }
  return taken
}

async function measure(
  count: CountTokens,
  lines: readonly Line[],
  longest: number,
  specials: number,
): Promise<Taken[]> {
  const tokensOf = async (some: readonly Line[]): Promise<Taken[]> => {
    const counts = await count(some.map(fencedShown))
    return some.map((line, i) => ({ line, tokens: (counts[i] as number) - specials }))
  }
  const measured = await tokensOf(lines)
  for (let cut = 0; cut < cuts; cut++) {
    const long = [...measured.keys()].filter((i) => (measured[i] as Taken).tokens > longest)
    const shorter = long.map((i) => {
      const { line, tokens } = measured[i] as Taken
      // A little less than its share: the tokens of a text are not spread evenly.
      return cutTo(line, Math.floor((0.9 * [...line.text].length * longest) / tokens)) ?? line
    })
    if (long.length === 0) break
    for (const [at, one] of (await tokensOf(shorter)).entries()) measured[long[at] as number] = one
  }
  return measured
}

/** Lines that belong together, those that matter most first. */
export interface Group {
  taken: readonly Taken[]
  /** The order in which they are shown. */
  inOrder(lines: Line[]): Line[]
}

/** A context within its budget. */
export interface Filled {
  lines: Line[]
  contents: string[]
  tokens: number
}

/**
 * What groups of lines come to together, which may be a token more or less than what each line takes. Where that is too
 * much, the last of the last group is left out, then the next.
 */
export async function fillExactly(
  count: CountTokens,
  format: ContextFormat,
  budget: number,
  groups: readonly Group[],
): Promise<Filled> {
  const kept = groups.map(({ taken }) => [...taken])
  for (;;) {
    const lines = groups.flatMap(({ inOrder }, i) => inOrder((kept[i] as Taken[]).map(({ line }) => line)))
    const contents = contentsOf(format, lines)
    const tokens = sum(contents.length === 0 ? [] : await count(contents))
    if (tokens <= budget) return { lines, contents, tokens }
    for (let excess = tokens - budget; excess > 0; ) {
      const last = kept.findLast((taken) => taken.length > 0)?.pop()
      if (last === undefined) break
      excess -= last.tokens
    }
  }
}

export const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0)
