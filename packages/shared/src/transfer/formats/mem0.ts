import type { Format, Memory } from './format.ts'
import type { Leftovers } from './leftovers.ts'
import { readItems } from './read-json.ts'
import { beside, metadataOf, nameOf, objectAt, orFault, textOf, timeOf } from './values.ts'

const kept = ['agent_id', 'run_id', 'app_id', 'actor_id', 'role', 'categories', 'updated_at', 'immutable']
const taken = [...kept, 'id', 'memory', 'metadata', 'user_id', 'created_at', 'expiration_date']
const members = ['results', 'memories']
const isItem = (root: Record<string, unknown>) => 'memory' in root

export const mem0: Format = {
  title: 'mem0',
  takes:
    '`get_all` and the memories of an export: a list, or `{"results": [...]}`. `user_id` becomes the subject, `expiration_date` `expires_at`; metadata, agent, run, role and categories become metadata',
  seen: '`Memory.get_all` of the API’s versions 1.0 and 1.1, answers of the platform of 2026',
  isLike: (start) => /"memory"\s*:\s*"/.test(start),
  async *convert({ file }, left): AsyncGenerator<Memory> {
    for await (const { n, value } of readItems(file, { members, isItem }, left)) {
      const place = `Memory ${n}`
      yield* orFault(place, () => memoryOf(objectAt(value, place), place, left))
    }
  },
}

function* memoryOf(item: Record<string, unknown>, place: string, left: Leftovers): Generator<Memory> {
  left.addFields(item, taken, 'memories')
  const text = textOf(item.memory)
  if (text === undefined) {
    left.add('memories without a text')
    return
  }
  const fields = Object.fromEntries(kept.map((name) => [name, item[name]]))
  yield {
    text,
    metadata: { source: 'mem0', ...beside(fields, metadataOf(item, left), left, 'memories') },
    external_id: nameOf(item.id, 'id'),
    subject: nameOf(item.user_id, 'user_id'),
    occurred_at: timeOf(item.created_at, 'created_at'),
    expires_at: endOf(timeOf(item.expiration_date, 'expiration_date')),
    place,
  }
}

/** mem0 shows a memory through the whole day, in UTC, on which it expires. */
function endOf(time: string | undefined): string | undefined {
  const day = time !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(time) ? Date.parse(time) : Number.NaN
  return Number.isNaN(day) ? time : new Date(day + 86_400_000).toISOString()
}
