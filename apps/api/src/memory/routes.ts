import { ReadBrain } from '@memory/memory/brain/schema'
import { readBrain } from '@memory/memory/brain/service'
import { ExplainText } from '@memory/memory/explain/schema'
import { explainText } from '@memory/memory/explain/service'
import { giveFeedback } from '@memory/memory/learning/feedback'
import { GiveFeedback } from '@memory/memory/learning/schema'
import { SpaceMap } from '@memory/memory/map/schema'
import { spaceMap } from '@memory/memory/map/service'
import { changePattern } from '@memory/memory/patterns/change-pattern'
import { patternHistory, redactPatternVersion, revertPattern } from '@memory/memory/patterns/history'
import { ListVersions, RedactVersion, RevertPattern } from '@memory/memory/patterns/history-schema'
import { importantFacts } from '@memory/memory/patterns/important'
import { ListImportant } from '@memory/memory/patterns/important-schema'
import { countPatterns, listPatternPage } from '@memory/memory/patterns/list-patterns'
import { deletePattern, emptySpace, getPattern } from '@memory/memory/patterns/manage-patterns'
import { deletePatterns, getPatterns } from '@memory/memory/patterns/many-patterns'
import { PredictTexts } from '@memory/memory/predict/schema'
import { predictTexts } from '@memory/memory/predict/service'
import { ReadContext } from '@memory/memory/prompt/schema'
import { readContext } from '@memory/memory/prompt/service'
import { recallTexts } from '@memory/memory/recall/recall-texts'
import * as recall from '@memory/memory/recall/schema'
import * as schema from '@memory/memory/schema'
import { compareTexts, createEmbeddings, embedText } from '@memory/memory/texts/embed-texts'
import { forgetTexts } from '@memory/memory/texts/forget-texts'
import { retrieveTexts } from '@memory/memory/texts/search-texts'
import { batchStoreTexts, storeText } from '@memory/memory/texts/store-texts'
import { textStatistics } from '@memory/memory/texts/text-statistics'
import { endpoint } from '../http/endpoint.ts'
import { beliefRoutes } from './belief-routes.ts'
import { conflictRoutes } from './conflict-routes.ts'
import { explorationRoutes } from './exploration-routes.ts'
import { prefetchRoutes } from './prefetch-routes.ts'
import { receiptRoutes } from './receipt-routes.ts'
import { regimeRoutes } from './regime-routes.ts'
import { routingRoutes } from './routing-routes.ts'
import { sleepRoutes } from './sleep-routes.ts'
import { subjectRoutes } from './subject-routes.ts'
import { tierRoutes } from './tier-routes.ts'
import { vectorRoutes } from './vector-routes.ts'

export const memoryRoutes = [
  endpoint(schema.StoreText, ({ context, caller, body, record }) =>
    storeText(context.memory, caller, body, record),
  ),
  endpoint(schema.BatchStoreTexts, ({ context, caller, body, record }) =>
    batchStoreTexts(context.memory, caller, body, record),
  ),
  endpoint(schema.RetrieveTexts, ({ context, caller, body }) => retrieveTexts(context.memory, caller, body)),
  endpoint(ExplainText, ({ context, caller, body }) => explainText(context.memory, caller, body)),
  endpoint(recall.RecallTexts, ({ context, caller, body }) => recallTexts(context.memory, caller, body)),
  endpoint(ReadContext, ({ context, caller, body }) => readContext(context.memory, caller, body)),
  endpoint(PredictTexts, ({ context, caller, body }) => predictTexts(context.memory, caller, body)),
  endpoint(GiveFeedback, ({ context, caller, body }) => giveFeedback(context.memory, caller, body)),
  endpoint(ReadBrain, ({ context, caller }) => readBrain(context.memory, caller)),
  endpoint(schema.CompareTexts, ({ context, caller, body }) => compareTexts(context.memory, caller, body)),
  endpoint(schema.EmbedText, ({ context, caller, body }) => embedText(context.memory, caller, body)),
  endpoint(schema.CreateEmbeddings, ({ context, caller, body }) =>
    createEmbeddings(context.memory, caller, body),
  ),
  endpoint(schema.TextStatistics, ({ context, caller }) => textStatistics(context.memory, caller)),
  ...[schema.ForgetTexts, schema.ForgetTextsByPost].map((operation) =>
    endpoint(operation, ({ context, caller, body, sent, record }) =>
      forgetTexts(context.memory, caller, body, { sent, record }),
    ),
  ),
  endpoint(ListImportant, ({ context, caller }) => importantFacts(context.memory, caller)),
  endpoint(schema.ListPatterns, ({ context, caller, query }) =>
    listPatternPage(context.memory, caller, query, 'query'),
  ),
  endpoint(schema.SearchPatterns, ({ context, caller, body }) =>
    listPatternPage(context.memory, caller, body, 'body'),
  ),
  endpoint(SpaceMap, ({ context, caller, query }) => spaceMap(context.memory, caller, query)),
  endpoint(schema.CountPatterns, ({ context, caller, body }) => countPatterns(context.memory, caller, body)),
  endpoint(schema.GetPattern, ({ context, caller, params }) =>
    getPattern(context.memory, caller, params.pattern_id),
  ),
  endpoint(schema.ChangePattern, ({ context, caller, params, body, ifMatch }) =>
    changePattern(context.memory, caller, params.pattern_id, body, ifMatch),
  ),
  endpoint(schema.DeletePattern, ({ context, caller, params, ifMatch }) =>
    deletePattern(context.memory, caller, params.pattern_id, ifMatch),
  ),
  endpoint(schema.GetPatterns, ({ context, caller, body }) => getPatterns(context.memory, caller, body)),
  endpoint(schema.DeletePatterns, ({ context, caller, body, sent }) =>
    deletePatterns(context.memory, caller, body, sent),
  ),
  endpoint(ListVersions, ({ context, caller, params, query }) =>
    patternHistory(context.memory, caller, params.pattern_id, query),
  ),
  endpoint(RevertPattern, ({ context, caller, params, body, ifMatch }) =>
    revertPattern(context.memory, caller, params.pattern_id, body, ifMatch),
  ),
  endpoint(RedactVersion, ({ context, caller, params }) =>
    redactPatternVersion(context.memory, caller, params),
  ),
  endpoint(schema.EmptySpace, ({ context, caller }) => emptySpace(context.memory, caller)),
  ...sleepRoutes,
  ...conflictRoutes,
  ...explorationRoutes,
  ...beliefRoutes,
  ...routingRoutes,
  ...prefetchRoutes,
  ...receiptRoutes,
  ...regimeRoutes,
  ...subjectRoutes,
  ...tierRoutes,
  ...vectorRoutes,
]
