import * as schema from '@memory/memory/regime/schema'
import {
  calibrateModulation,
  injectAnomaly,
  readModulation,
  readModulationHistory,
  readRegime,
  readRegimeHistory,
} from '@memory/memory/regime/service'
import { endpoint } from '../http/endpoint.ts'

export const regimeRoutes = [
  endpoint(schema.ReadRegime, ({ context, caller }) => readRegime(context.memory, caller)),
  endpoint(schema.RegimeHistory, ({ context, caller, query }) =>
    readRegimeHistory(context.memory, caller, query),
  ),
  endpoint(schema.InjectAnomaly, ({ context, caller, body }) => injectAnomaly(context.memory, caller, body)),
  endpoint(schema.ReadModulation, ({ context, caller }) => readModulation(context.memory, caller)),
  endpoint(schema.ModulationHistory, ({ context, caller, query }) =>
    readModulationHistory(context.memory, caller, query),
  ),
  endpoint(schema.CalibrateModulation, ({ context, caller, body }) =>
    calibrateModulation(context.memory, caller, body),
  ),
]
