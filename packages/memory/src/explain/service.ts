import { type AssociationOf, composeExplanation } from '@memory/engine/explain/compose'
import { statedProbability } from '@memory/engine/explain/confidence'
import type { ExplanationLanguage } from '@memory/engine/explain/languages'
import { type Candidate, selectEvidence } from '@memory/engine/explain/select'
import { faded } from '@memory/engine/learning/association'
import { parameters } from '@memory/engine/parameters'
import type { Caller, Input, Output } from '@memory/shared/catalogue/operation'
import type { MemoryContext } from '../context.ts'
import { findMatching } from '../filter/find-matching.ts'
import { recordAnswer } from '../learning/record-use.ts'
import type { SpaceLearning } from '../learning/space-learning.ts'
import { countAt, type Moment, momentOf, searchAt } from '../patterns/past-store.ts'
import { findNearestTexts, type NearText } from '../texts/nearest-texts.ts'
import { detectLanguage } from './detect-language.ts'
import type { ExplainText } from './schema.ts'

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
  const { embedding, candidates, evidence } = known
  const language = lang ?? detectLanguage(query) ?? languageOf(evidence)
  const explanation = composeExplanation(query, evidence, language, {
    isEmpty: candidates.length === 0,
    associationOf: known.associationOf,
    knows: (character) => context.compute.knows(character),
  })
  if (evidence.length === 0) return { explanation, method: 'no_evidence', confidence: 0 }
  const confidence = statedProbability({ text: query, vector: embedding }, candidates, known.patterns)
  return { explanation, method: 'evidence', confidence }
}

/** What an explanation is made of. */
interface Known {
  embedding: Float32Array
  /** The nearest texts, best first. */
  candidates: NearText[]
  /** Those of them that are quoted. */
  evidence: Candidate[]
  /** How many patterns they are the nearest of. */
  patterns: number
  associationOf: AssociationOf
}

async function knownNow(
  context: MemoryContext,
  caller: Caller,
  { query, filter }: Input<typeof ExplainText>['body'],
): Promise<Known> {
  const [embedding, index, learning] = await Promise.all([
    context.compute.embed(caller, query, 'search'),
    context.spaces.get(caller.spaceId, caller.spaceVersion),
    context.learned.get(caller.spaceId, caller.engineVersion),
  ])
  const among = filter && (await findMatching(context, caller, filter))
  const candidates = await findNearestTexts(context, caller, index, embedding, among)
  const evidence = selectEvidence(candidates)
  recordAnswer(context, caller, {
    query,
    pathway: 'exact',
    patterns: evidence.map(({ idx, cosine }) => ({ idx, cosine })),
    search: { minScore: -1, among },
    nearest: candidates[0]?.cosine,
  })
  const patterns = among?.count ?? index.shard(context.compute.dimensions)?.size ?? candidates.length
  const associationOf = associationsIn(learning, context.clock.now())
  return { embedding, candidates, evidence, patterns, associationOf }
}

/** Of a time: what was learned since is of another one. */
async function knownAt(
  { compute, queries }: MemoryContext,
  caller: Caller,
  { query, filter }: Input<typeof ExplainText>['body'],
  moment: Moment,
): Promise<Known> {
  const embedding = await compute.embed(caller, query, 'search')
  const k = parameters.belief.candidates
  const { modelId } = compute
  const search = { moment, modelId, query: embedding, k, minScore: -1, textOnly: true, filter }
  // The value of a text is its key.
  const found = await searchAt(queries, caller, { ...search, values: true })
  const candidates = found.map(({ idx, id, text, value, cosine }) => ({
    ...{ idx, id, cosine },
    text: text as string,
    vector: Float32Array.from(JSON.parse(value as string) as number[]),
  }))
  const patterns = await countAt(queries, caller, moment, filter)
  return { embedding, candidates, evidence: selectEvidence(candidates), patterns, associationOf: () => 0 }
}

/** For a query that does not tell its own: that of what is quoted first. */
function languageOf([first]: readonly { text: string }[]): ExplanationLanguage {
  return (first && detectLanguage(first.text)) ?? 'en'
}

function associationsIn(learning: SpaceLearning, now: Date): AssociationOf {
  return (one, other) => {
    const association = learning.associatesOf(one).get(other)
    return association === undefined ? 0 : faded(association.weight, association.at, now.getTime())
  }
}
