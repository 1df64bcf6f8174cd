import type { Format, Memory } from './format.ts'
import { readItems } from './read-json.ts'
import { beside, metadataOf, nameOf, objectAt, present, textOf, timeOf, unlessRounded } from './values.ts'

const kept = ['agent_id', 'run_id', 'app_id', 'actor_id', 'role', 'categories', 'updated_at', 'immutable']
const taken = [...kept, 'id', 'memory', 'metadata', 'user_id', 'created_at', 'expiration_date']
/** Of an answer that was one page of several, and nothing of a memory. */
const paging = ['count', 'next', 'previous', 'total']

const isItem = (root: Record<string, unknown>) => 'memory' in root

export const mem0: Format = {
  title: 'mem0',
  takes:
    '`get_all` and the memories of an export: a list, or `{"results": [...]}`. `user_id` becomes the subject, `expiration_date` `expires_at`; metadata, agent, run, role and categories become metadata',
  seen: '`Memory.get_all` of the API’s versions 1.0 and 1.1, answers of the platform of 2026',
  isLike: (start) => /"memory"\s*:\s*"/.test(start),
  async *convert({ file }, left): AsyncGenerator<Memory> {
    const other = (name: string, value: unknown) => {
      if (paging.includes(name)) return
      left.add(name, Array.isArray(value) ? value.length : 1)
    }
    for await (const { n, value } of readItems(file, ['results', 'memories'], other, isItem)) {
      const place = `Memory ${n}`
      const item = objectAt(value, place)
      left.addFields(item, taken, 'memories')
      const text = textOf(item.memory)
      if (text === undefined) {
        left.add('memories without a text')
        continue
      }
      yield unlessRounded(place, () => ({
        text,
        metadata: present({
          source: 'mem0',
          ...beside(
            Object.fromEntries(kept.map((name) => [name, item[name]])),
            metadataOf(item, left),
            left,
            'memories',
          ),
        }),
        external_id: nameOf(item.id),
        subject: nameOf(item.user_id),
        occurred_at: timeOf(item.created_at),
        expires_at: timeOf(item.expiration_date),
        place,
      }))
    }
  },
}
