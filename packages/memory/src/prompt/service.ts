import { hash } from 'node:crypto'
import type { Caller, Input, Output } from '@memory/shared/catalogue/operation'
import type { MemoryContext } from '../context.ts'
import { findMatching } from '../filter/find-matching.ts'
import { answeredBy } from '../learning/answered-by.ts'
import { recordAnswer } from '../learning/record-use.ts'
import { recall } from '../recall/recall.ts'
import { placeIn } from '../recall/search-passages.ts'
import { beginReading } from '../store.ts'
import { changesSince } from './changes.ts'
import { countWith, fillExactly, frameOf, lineChars, linesIn, sum, take } from './fill.ts'
import type { Line } from './line.ts'
import { type LineKind, lineKinds, type ReadContext } from './schema.ts'
import { findStanding, standingSubjects } from './standing-store.ts'

type Body = Input<typeof ReadContext>['body']
type Answer = Output<typeof ReadContext>

/**
 * Most of the token budget that standing facts may take, as a share. What they take is missing for what recall finds;
 * `bench/context.ts` measures what that costs.
 */
export const standingShare = 1 / 8
/** The share that changes (with `since`) may take beside a query. More, since who asks for changes knows the rest already. */
const changesShare = 1 / 2
/** Most standing or changed texts looked at, those that a filter is applied to, and most texts recalled. */
const lookedMax = 512
const filteredMax = 1_024
const foundMax = 200
/** How many more texts are looked at than there is room for, since some turn out to have changed or to be no texts. */
const spare = 64

/**
 * The context operation: what an assistant should know now, within a token budget.
 * @param ofStanding share of the budget that standing facts may take
 */
export async function readContext(
  context: MemoryContext,
  asking: Caller,
  body: Body,
  ofStanding = standingShare,
): Promise<Answer> {
  const started = performance.now()
  const { asOf, version } = await beginReading(context.queries, asking.spaceId)
  const caller = { ...asking, spaceVersion: version }
  const { format, token_budget: budget, query, since, read_only } = body
  const count = countWith(context.compute, caller)
  const [{ marks, specials }, first, found] = await Promise.all([
    frameOf(count, format),
    since == null ? standing(context, caller, body) : changes(context, caller, body, since),
    query == null ? undefined : find(context, caller, body, query),
  ])
  // The first part of the context must be the same whatever is asked (for prompt caches), so it depends on its own share alone.
  const [share, inOrder] =
    since == null ? ([ofStanding, inStoreOrder] as const) : ([changesShare, asTheyAre] as const)
  const room = Math.max(0, budget - marks)
  const begun = await take(count, first, {
    room: Math.min(room, Math.floor(share * budget)),
    budget,
    specials,
    cuts: false,
  })
  const left = room - sum(begun.map(({ tokens }) => tokens))
  const isTaken = new Set(begun.map(({ line }) => line.idx))
  const others = (found?.lines ?? first).filter(({ idx }) => !isTaken.has(idx))
  const further = await take(count, others, { room: left, budget, specials, cuts: true })
  const { lines, contents, tokens } = await fillExactly(count, format, budget, [
    { taken: begun, inOrder },
    { taken: further, inOrder: found === undefined ? inOrder : asTheyAre },
  ])
  const isShown = new Set(lines.map(({ idx }) => idx))
  if (!read_only) found?.record(isShown)
  const content = contentOf(format, lines, contents)
  return {
    format,
    ...content,
    lines: Object.fromEntries(
      lineKinds.map((kind) => [kind, lines.filter((line) => line.kind === kind).length]),
    ) as Record<LineKind, number>,
    omitted: first.filter(({ idx }) => !isShown.has(idx)).length,
    tokens,
    tokenizer: context.compute.modelId,
    etag: hash('sha256', JSON.stringify(content), 'base64url').slice(0, 22),
    as_of: asOf.toISOString(),
    latency_ms: performance.now() - started,
  }
}

/** An order that does not depend on the query or on use. */
const inStoreOrder = (lines: Line[]): Line[] => lines.sort((a, b) => a.idx - b.idx)
const asTheyAre = (lines: Line[]): Line[] => lines

function contentOf(
  format: Body['format'],
  lines: readonly Line[],
  contents: readonly string[],
): Pick<Answer, 'text' | 'messages' | 'items'> {
  if (format === 'text') return { text: contents[0] ?? '' }
  if (format === 'messages') return { messages: contents.map((content) => ({ role: 'user', content })) }
  return {
    items: lines.map(({ kind, id, external_id, at, text, isCut }) => ({
      kind,
      pattern_id: id,
      ...(external_id !== null && { external_id }),
      occurred_at: new Date(at).toISOString(),
      text,
      ...(isCut && { cut: true }),
    })),
  }
}

/** Standing facts, the most important first. A filter is applied to the texts looked at. */
async function standing(
  context: MemoryContext,
  caller: Caller,
  { token_budget: budget, filter, subject }: Body,
): Promise<Line[]> {
  // The same number with and without a query, so that the same texts come first.
  const wanted = linesIn(budget) + spare
  const [rows, among] = await Promise.all([
    findStanding(context.queries, caller.spaceId, {
      subjects: standingSubjects(caller, subject),
      looked: filter === undefined ? Math.min(lookedMax, wanted) : filteredMax,
      chars: lineChars(budget),
    }),
    filter && findMatching(context, caller, filter),
  ])
  const lines = rows.map(({ is_cut: isCut, ...row }): Line => ({ kind: 'standing', ...row, isCut }))
  return among === undefined ? lines : lines.filter(({ idx }) => among.has(idx))
}

async function changes(
  context: MemoryContext,
  caller: Caller,
  { token_budget: budget, filter, subject }: Body,
  since: Date,
): Promise<Line[]> {
  const count = Math.min(lookedMax, linesIn(budget) + spare)
  const subjects = standingSubjects(caller, subject)
  const lines = await changesSince(context, caller, { since, filter, subjects, count })
  return lines.map((line) => shortened(line, budget))
}

/**
 * What recall finds, best first; and `record`, which has the space learn from the texts shown. These do not count as accesses,
 * since that would change which standing facts come first.
 */
async function find(
  context: MemoryContext,
  caller: Caller,
  { token_budget: budget, filter }: Body,
  query: string,
): Promise<{ lines: Line[]; record(isShown: ReadonlySet<number>): void }> {
  const recalled = await recall(context, caller, {
    query,
    k: Math.min(foundMax, linesIn(budget)),
    filter,
    minSimilarity: -1,
    timeSeenFrom: context.clock.now().getTime(),
  })
  const { taken, pathway, search, nearest, vector, passages } = recalled
  const lines = taken.map(({ scored, payload: { idx, id, external_id, at, text } }): Line => {
    const whole: Line = { kind: 'found', idx, id, external_id, at, text, isCut: false }
    const place = text.length > lineChars(budget) / 2 ? placeIn(text, scored, passages) : undefined
    const part = place && [...text].slice(place.start, place.end).join('')
    return shortened(part === undefined ? whole : { ...whole, text: part, isCut: true }, budget)
  })
  return {
    lines,
    record: (isShown) => {
      const shown = taken.map(({ scored }) => scored).filter(({ idx }) => isShown.has(idx))
      const patterns = answeredBy(pathway, shown)
      const answer = { query, pathway, patterns, search, nearest, asked: vector, isUncounted: true }
      recordAnswer(context, caller, answer)
    },
  }
}

/** Cuts a text that is longer than any line may be, so that its tokens need not be counted. */
function shortened(line: Line, budget: number): Line {
  const chars = lineChars(budget)
  if (line.text.length <= chars) return line
  return { ...line, text: [...line.text].slice(0, chars).join(''), isCut: true }
}
