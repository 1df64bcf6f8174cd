import {
  changePattern,
  deletePattern,
  emptySpace,
  getPattern,
  listPatternPage,
} from '@memory/shared/memory/pattern-service'
import * as schema from '@memory/shared/memory/schema'
import * as texts from '@memory/shared/memory/text-service'
import { endpoint } from '../http/endpoint.ts'

export const memoryRoutes = [
  endpoint(schema.StoreText, ({ context, caller, body, record }) =>
    texts.storeText(context.memory, caller, body, record),
  ),
  endpoint(schema.BatchStoreTexts, ({ context, caller, body, record }) =>
    texts.batchStoreTexts(context.memory, caller, body, record),
  ),
  endpoint(schema.RetrieveTexts, ({ context, caller, body }) =>
    texts.retrieveTexts(context.memory, caller, body),
  ),
  endpoint(schema.CompareTexts, ({ context, caller, body }) =>
    texts.compareTexts(context.memory, caller, body),
  ),
  endpoint(schema.EmbedText, ({ context, caller, body }) => texts.embedText(context.memory, caller, body)),
  endpoint(schema.TextStatistics, ({ context, caller }) => texts.textStatistics(context.memory, caller)),
  endpoint(schema.ForgetTexts, ({ context, caller, body }) =>
    texts.forgetTexts(context.memory, caller, body),
  ),
  endpoint(schema.ListPatterns, ({ context, caller, query }) =>
    listPatternPage(context.memory, caller, query),
  ),
  endpoint(schema.GetPattern, ({ context, caller, params }) =>
    getPattern(context.memory, caller, params.pattern_id),
  ),
  endpoint(schema.ChangePattern, ({ context, caller, params, body }) =>
    changePattern(context.memory, caller, params.pattern_id, body),
  ),
  endpoint(schema.DeletePattern, ({ context, caller, params }) =>
    deletePattern(context.memory, caller, params.pattern_id),
  ),
  endpoint(schema.EmptySpace, ({ context, caller }) => emptySpace(context.memory, caller)),
]
