import { type AssociationOf, composeExplanation } from '@memory/engine/explain/compose'
import { statedProbability } from '@memory/engine/explain/confidence'
import type { ExplanationLanguage } from '@memory/engine/explain/languages'
import { selectEvidence } from '@memory/engine/explain/select'
import { faded } from '@memory/engine/learning/association'
import type { Caller, Input, Output } from '@memory/shared/catalogue/operation'
import type { MemoryContext } from '../context.ts'
import { findMatching } from '../filter/find-matching.ts'
import { recordAnswer } from '../learning/record-use.ts'
import type { SpaceLearning } from '../learning/space-learning.ts'
import { findNearestTexts } from '../texts/nearest-texts.ts'
import { detectLanguage } from './detect-language.ts'
import type { ExplainText } from './schema.ts'

/** Texts that bear on a query, quoted, and why they were found. */
export async function explainText(
  context: MemoryContext,
  caller: Caller,
  { query, lang = null, filter }: Input<typeof ExplainText>['body'],
): Promise<Output<typeof ExplainText>> {
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
  const language = lang ?? detectLanguage(query) ?? languageOf(evidence)
  const explanation = composeExplanation(query, evidence, language, {
    isEmpty: candidates.length === 0,
    associationOf: associationsIn(learning, context.clock.now()),
    knows: (character) => context.compute.knows(character),
  })
  if (evidence.length === 0) return { explanation, method: 'no_evidence', confidence: 0 }
  const patterns = among?.count ?? index.shard(context.compute.dimensions)?.size ?? candidates.length
  const confidence = statedProbability({ text: query, vector: embedding }, candidates, patterns)
  return { explanation, method: 'evidence', confidence }
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
