import { isDeepStrictEqual } from 'node:util'
import { wantedOf } from '@memory/engine/explain/asking'
import { type AssociationOf, composeExplanation } from '@memory/engine/explain/compose'
import { statedProbability } from '@memory/engine/explain/confidence'
import type { ExplanationLanguage } from '@memory/engine/explain/languages'
import type { Precedence } from '@memory/engine/explain/phrases'
import { type Candidate, selectEvidence } from '@memory/engine/explain/select'
import { faded } from '@memory/engine/learning/association'
import { fold } from '@memory/engine/lexical/tokenise'
import { parameters } from '@memory/engine/parameters'
import { arrange, type Dated } from '@memory/engine/recall/arrange'
import { askedAgain } from '@memory/engine/recall/asked-again'
import { type NameOfQuery, namesOf } from '@memory/engine/recall/names-of-query'
import { namedTime } from '@memory/engine/recall/time-expressions'
import { wantedBy } from '@memory/engine/recall/views'
import type { Filter } from '@memory/shared/catalogue/filter'
import type { Caller, Input, Output } from '@memory/shared/catalogue/operation'
import { encoderFor } from '../belief/encoder.ts'
import type { MemoryContext } from '../context.ts'
import { findMatching } from '../filter/find-matching.ts'
import { recordAnswer } from '../learning/record-use.ts'
import type { SpaceLearning } from '../learning/space-learning.ts'
import { countAt, type Moment, momentOf, searchAt } from '../patterns/past-store.ts'
import { seenBy } from '../subjects/narrow.ts'
import type { NearText } from '../texts/near-text.ts'
import { findNearestParts, takeNearestParts } from '../texts/nearest-texts.ts'
import { detectLanguage } from './detect-language.ts'
import type { ExplainText } from './schema.ts'

const { evidenceMin } = parameters.explain

/** Texts that bear on a query, quoted, and why they were found. */
export async function explainText(
  context: MemoryContext,
  caller: Caller,
  body: Input<typeof ExplainText>['body'],
): Promise<Output<typeof ExplainText>> {
  const moment = momentOf(body)
  const known =
    moment === undefined
      ? await knownNow(context, caller, body)
      : await knownAt(context, caller, body, moment)
  const { query, lang = null } = body
  const { embedding, candidates, answers, evidence, isOnlyAsked, isAskedNearer } = known
  const language = lang ?? detectLanguage(query) ?? languageOf(evidence, candidates)
  const knows = knowsOf(context)
  const explanation = composeExplanation(query, evidence, language, {
    isEmpty: candidates.length === 0 && (await hasNoText(context, caller)),
    isOnlyAsked,
    isAskedNearer,
    precedence: known.precedence,
    isNarrowed: isPart(caller, body.filter),
    associationOf: known.associationOf,
    knows,
  })
  const [first] = evidence
  if (first === undefined) return { explanation, method: 'no_evidence', confidence: 0 }
  // A question states nothing.
  if (isOnlyAsked) return { explanation, method: 'evidence', confidence: 0 }
  const ordered = [first, ...answers.filter((answer) => answer !== first)]
  const statement = { text: query, vector: embedding }
  const encoder = encoderFor(context, caller)
  const confidence = await statedProbability(statement, ordered, known.patterns, encoder)
  return { explanation, method: 'evidence', confidence }
}

/** What an explanation is made of. */
interface Known {
  /** Of what the query wants: how it asks to be told has no part in what that is about. */
  embedding: Float32Array
  /** The nearest texts, best first. */
  candidates: NearText[]
  /** Those of them that do not ask what the query asks. */
  answers: NearText[]
  /** Those of them that are quoted. */
  evidence: Candidate[]
  /** Whether they ask what the query asks, since nothing answers it. */
  isOnlyAsked: boolean
  /** Whether what asks the same is nearer than what is quoted in its place. */
  isAskedNearer: boolean
  /** Why the first of what is quoted comes before what is nearer and near enough to be evidence; undefined: nothing is. */
  precedence: Precedence | undefined
  /** How many patterns they are the nearest of. */
  patterns: number
  associationOf: AssociationOf
}

async function knownNow(
  context: MemoryContext,
  caller: Caller,
  { query, filter, read_only }: Input<typeof ExplainText>['body'],
): Promise<Known> {
  const text = wantedOf(query)
  const [embedding, index, learning] = await Promise.all([
    context.compute.embed(caller, text, 'search'),
    context.spaces.get(caller.spaceId, caller.spaceVersion),
    context.learned.get(caller.spaceId, caller.engineVersion),
  ])
  const among = filter && (await findMatching(context, caller, filter))
  const wanted = { text, vector: embedding, names: namesOf(wantedBy(query)) }
  const { texts: candidates, nearestWhole } = await findNearestParts(context, caller, index, wanted, among)
  const now = context.clock.now()
  const chosen = choose(query, now, candidates, knowsOf(context))
  const { evidence } = chosen
  if (!read_only) {
    recordAnswer(context, caller, {
      query,
      pathway: 'exact',
      patterns: evidence.map(({ idx, cosine }) => ({ idx, cosine })),
      search: { minScore: -1, among },
      nearest: nearestWhole,
    })
  }
  // Those of the embeddings' length: others are never compared with the query.
  const shard = index.shard(context.compute.dimensions)
  const compared = shard && among ? index.allow(shard, among).count : shard?.size
  const patterns = compared ?? candidates.length
  const associationOf = associationsIn(learning, now)
  return { embedding, candidates, ...chosen, patterns, associationOf }
}

/** Of a time: what was learned since is of another one. */
async function knownAt(
  context: MemoryContext,
  caller: Caller,
  { query, filter }: Input<typeof ExplainText>['body'],
  moment: Moment,
): Promise<Known> {
  const { compute, queries } = context
  const text = wantedOf(query)
  const embedding = await compute.embed(caller, text, 'search')
  const k = parameters.belief.candidates
  const { modelId } = compute
  const search = { moment, modelId, query: embedding, k, minScore: -1, textOnly: true, filter }
  // The value of a text is its key.
  const found = await searchAt(queries, caller, { ...search, values: true })
  const wholes = found.map(({ idx, id, text, value, cosine, valid_from: at }) => ({
    ...{ idx, id, cosine, at: at.getTime() },
    text: text as string,
    vector: Float32Array.from(JSON.parse(value as string) as number[]),
  }))
  const wanted = { text, vector: embedding, names: namesOf(wantedBy(query)) }
  const candidates = await takeNearestParts(context, caller, wanted, wholes)
  const patterns = await countAt(queries, caller, moment, filter, { textOnly: true })
  const chosen = choose(query, moment.at ?? context.clock.now(), candidates, knowsOf(context))
  return { embedding, candidates, ...chosen, patterns, associationOf: () => 0 }
}

/**
 * What to quote: of what may answer the query, and of what asks the same only where nothing else is near enough. What comes first
 * is arranged as the answer of a recall is: of texts that are alike but for a value the newer, or what is of the time that the
 * query names; before these what has its identifiers.
 * @param seenFrom when "yesterday" is the day before
 */
function choose(
  query: string,
  seenFrom: Date,
  candidates: readonly NearText[],
  knows: (character: string) => boolean,
): Pick<Known, 'answers' | 'evidence' | 'isOnlyAsked' | 'isAskedNearer' | 'precedence'> {
  // What only asks the same is nearer than any answer and answers nothing, as when a question was stored as it was said.
  const asksAgain = askedAgain(query)
  const asked = candidates.filter((one) => asksAgain(one) !== undefined)
  const answers = candidates.filter((one) => !asked.includes(one))
  const wanted = wantedBy(query)
  const time = namedTime(wanted, seenFrom.getTime())
  const isOfTime = ({ at }: NearText) => time !== undefined && at >= time.from && at < time.to
  // They are ordered by their cosine alone.
  const dated = answers.map((answer) => ({ ...answer, isOfTime: isOfTime(answer), score: 0 }))
  const evidence = selectEvidence(dated, knows, (near) => arrange(near, query).texts)
  const [first] = evidence
  if (first !== undefined) {
    const isAskedNearer = asked.some(({ cosine }) => cosine > first.cosine)
    const nearer = dated.filter(({ cosine }) => cosine > first.cosine && cosine >= evidenceMin)
    const precedence = nearer.length === 0 ? undefined : precedenceOf(first, nearer, namesOf(wanted))
    return { answers: dated, evidence, isOnlyAsked: false, isAskedNearer, precedence }
  }
  const questions = selectEvidence(asked, knows)
  const isOnlyAsked = questions.length > 0
  return { answers, evidence: questions, isOnlyAsked, isAskedNearer: false, precedence: undefined }
}

type DatedText = Pick<Dated, 'text' | 'at' | 'isOfTime'>

/** Why a text comes before others that are nearer. */
function precedenceOf(
  first: DatedText,
  nearer: readonly DatedText[],
  names: readonly NameOfQuery[],
): Precedence {
  const countOf = ({ text }: DatedText) => {
    const folded = fold(text)
    return names.filter(({ isIn }) => isIn(folded)).length
  }
  const count = names.length === 0 ? 0 : countOf(first)
  if (count > 0 && nearer.every((one) => countOf(one) < count)) return 'named'
  const isNewest = (others: readonly DatedText[]) => others.every(({ at }) => at <= first.at)
  if (first.isOfTime) {
    const ofTime = nearer.filter(({ isOfTime }) => isOfTime)
    if (ofTime.length === 0) return 'ofTime'
    if (isNewest(ofTime)) return 'newestOfTime'
  }
  return isNewest(nearer) ? 'newest' : 'other'
}

/** Whether a filter leaves out something of what a caller may see: that of an end user is narrowed to theirs in any case. */
const isPart = ({ subject }: Pick<Caller, 'subject'>, filter: Filter | undefined): boolean =>
  !isDeepStrictEqual(filter, subject && seenBy(undefined, subject))

/** Whether a caller has no text at all, whatever the filter and the time that were asked for. */
async function hasNoText(context: MemoryContext, caller: Caller): Promise<boolean> {
  const { spaceId, spaceVersion, subject } = caller
  const held = await context.texts.get(spaceId, spaceVersion)
  if (subject === undefined) return held.lexical.size === 0
  const seen = await findMatching(context, caller, seenBy(undefined, subject))
  return seen.filter((idx) => held.has(idx)).count === 0
}

/** Whether the encoder knows a character. */
const knowsOf =
  ({ compute }: Pick<MemoryContext, 'compute'>) =>
  (character: string): boolean =>
    compute.knows(character)

/** For a query that does not tell its own: that of what is quoted first, or else of most that is nearest, however far. */
function languageOf([first]: readonly Candidate[], nearest: readonly Candidate[]): ExplanationLanguage {
  const quoted = first && detectLanguage(first.text)
  if (quoted !== undefined) return quoted
  const told = nearest.map(({ text }) => detectLanguage(text)).filter((language) => language !== undefined)
  return told.filter((language) => language === 'fr').length > told.length / 2 ? 'fr' : 'en'
}

function associationsIn(learning: SpaceLearning, now: Date): AssociationOf {
  // A sleep associates what is near again whenever something is stored next to it, though nobody recalled it.
  const isRecalled = (idx: number) => learning.useOf(idx).count > 1
  return (one, other) => {
    if (!isRecalled(one) || !isRecalled(other)) return 0
    const association = learning.associatesOf(one).get(other)
    return association === undefined ? 0 : faded(association.weight, association.at, now.getTime())
  }
}
