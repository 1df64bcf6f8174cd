import { decide, type Evaluation, evaluatePathways, type Pathway } from '@memory/engine/routing'
import { geometricSurprise } from '@memory/engine/surprise'
import type { Caller, Input, Output } from '@memory/shared/catalogue/operation'
import type { MemoryContext } from '../context.ts'
import { recordSearch } from '../learning/record-use.ts'
import { recall } from '../recall/recall.ts'
import { type PathwayPolicy, pathwayPolicy } from './pathway-policy.ts'
import { type PathwayViews, type ScoreByAttention, viewPathways } from './pathway-views.ts'
import { type DecideRouting, type EvaluateEfe, routedText } from './schema.ts'

/** The decide operation: which pathway a query should take. */
export async function decideRouting(
  context: MemoryContext,
  caller: Caller,
  body: Input<typeof DecideRouting>['body'],
  scoreByAttention = scoreByRecall,
): Promise<Output<typeof DecideRouting>> {
  const { views, nearest, policy } = await view(
    context,
    caller,
    { text: routedText(body), isReadOnly: body.read_only },
    scoreByAttention,
  )
  const { pathway, scores, confidence } = decide(evaluatePathways(views), policy)
  return { pathway, scores, geometric_surprise: geometricSurprise(nearest), confidence }
}

/** The evaluate operation: the expected free energy of the pathways asked for. */
export async function evaluateEfe(
  context: MemoryContext,
  caller: Caller,
  { query, pathways: wanted, read_only }: Input<typeof EvaluateEfe>['body'],
  scoreByAttention = scoreByRecall,
): Promise<Output<typeof EvaluateEfe>> {
  const { views } = await view(context, caller, { text: query, isReadOnly: read_only }, scoreByAttention)
  const all = Object.entries(evaluatePathways(views)) as [Pathway, Evaluation][]
  const evaluations = all.filter(([pathway]) => wanted.includes(pathway))
  const { pathway: recommended } = decide(Object.fromEntries(evaluations) as Record<Pathway, Evaluation>)
  return {
    evaluations: Object.fromEntries(
      evaluations.map(([pathway, { efe, epistemic, pragmatic }]) => [
        pathway,
        { efe, epistemic_value: epistemic, pragmatic_value: pragmatic },
      ]),
    ),
    recommended,
  }
}

/** All of recall's candidates with their scores. */
const scoreByRecall: ScoreByAttention = async (context, caller, { text }) => {
  const { scored } = await recall(context, caller, { query: text, k: 1, minSimilarity: -1 })
  return scored
}

/** Has the pathways score a text, and records its surprise. */
async function view(
  context: MemoryContext,
  caller: Caller,
  { text, isReadOnly }: { text: string; isReadOnly: boolean },
  scoreByAttention: ScoreByAttention,
): Promise<PathwayViews & { policy: PathwayPolicy }> {
  const [vector, index, policy] = await Promise.all([
    context.compute.embed(caller, text, 'search'),
    context.spaces.get(caller.spaceId, caller.spaceVersion),
    pathwayPolicy(context, caller),
  ])
  const views = await viewPathways(context, caller, index, { text, vector }, policy, scoreByAttention)
  if (!isReadOnly) recordSearch(context, caller.spaceId, views.nearest)
  return { ...views, policy }
}
