import { changeVector, deleteVectors, getVector } from '@memory/memory/vectors/change-vectors'
import { composeFractional, composeVectors } from '@memory/memory/vectors/compose-vectors'
import { batchRetrieveVectors, queryVectors } from '@memory/memory/vectors/query-vectors'
import { retrieveVectors } from '@memory/memory/vectors/retrieve-vectors'
import { batchStoreVectors, storeVector } from '@memory/memory/vectors/store-vectors'
import * as schema from '@memory/memory/vectors/vector-schema'
import { endpoint } from '../http/endpoint.ts'

export const vectorRoutes = [
  endpoint(schema.StoreVector, ({ context, caller, body, record }) =>
    storeVector(context.memory, caller, body, record),
  ),
  endpoint(schema.BatchStoreVectors, ({ context, caller, body, record }) =>
    batchStoreVectors(context.memory, caller, body, record),
  ),
  endpoint(schema.QueryVectors, ({ context, caller, body }) => queryVectors(context.memory, caller, body)),
  endpoint(schema.BatchRetrieveVectors, ({ context, caller, body }) =>
    batchRetrieveVectors(context.memory, caller, body),
  ),
  endpoint(schema.RetrieveVectors, ({ context, caller, body }) =>
    retrieveVectors(context.memory, caller, body),
  ),
  endpoint(schema.QuerySemantic, ({ context, caller, body }) =>
    retrieveVectors(context.memory, caller, body),
  ),
  endpoint(schema.ComposeVectors, ({ context, caller, body }) =>
    composeVectors(context.memory, caller, body),
  ),
  endpoint(schema.ComposeFractional, ({ context, caller, body }) =>
    composeFractional(context.memory, caller, body),
  ),
  endpoint(schema.ChangeVector, ({ context, caller, body }) => changeVector(context.memory, caller, body)),
  endpoint(schema.DeleteVectors, ({ context, caller, body }) => deleteVectors(context.memory, caller, body)),
  endpoint(schema.GetVector, ({ context, caller, params }) =>
    getVector(context.memory, caller, params.pattern_idx),
  ),
]
