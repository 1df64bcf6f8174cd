import { ownNameJson, type Payload } from '../patterns/pattern-cache.ts'
import type { VectorPathway } from './vector-schema.ts'

/**
 * JSON text of a result. Put together by `+`, which copies nothing until the whole is sent.
 * @param value JSON text
 * @param moment JSON text of further fields
 */
export function resultJson(
  payload: Pick<Payload, 'id' | 'external_id'>,
  value: string,
  score: number,
  pathway: VectorPathway,
  moment = '',
): string {
  return `{"value":${value},"confidence":${Math.max(0, score)},"pathway":"${pathway}","pattern_id":"${payload.id}"${ownNameJson(payload)}${moment}}`
}
