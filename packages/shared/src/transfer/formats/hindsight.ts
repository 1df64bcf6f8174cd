import type { Format, Memory } from './format.ts'
import { readItems } from './read-json.ts'
import { beside, metadataOf, nameOf, objectAt, present, textOf, timeOf, unlessRounded } from './values.ts'

const kept = ['fact_type', 'context', 'entities', 'tags', 'document_id', 'occurred_end', 'proof_count']
const taken = [
  ...kept,
  'id',
  'text',
  'type',
  'date',
  'mentioned_at',
  'occurred_start',
  'metadata',
  'state',
  'bank_id',
]
const paging = ['total', 'limit', 'offset']

const isItem = (root: Record<string, unknown>) => 'text' in root

export const hindsight: Format = {
  title: 'Hindsight',
  takes:
    'memory units as `GET /v1/default/banks/{bank}/memories/list` gives them (`{"items": [...]}`), those that are valid. Fact type, context, entities, tags and document become metadata',
  seen: 'the documentation of `memories/list` at 39c02d62',
  isLike: (start) => /"fact_type"\s*:/.test(start),
  async *convert({ file }, left): AsyncGenerator<Memory> {
    const other = (name: string, value: unknown) => {
      if (!paging.includes(name)) left.add(name, Array.isArray(value) ? value.length : 1)
    }
    for await (const { n, value } of readItems(file, ['items', 'results', 'memories'], other, isItem)) {
      const place = `Memory ${n}`
      const item = objectAt(value, place)
      if (item.state === 'invalidated') {
        left.add('invalidated memories')
        continue
      }
      left.addFields(item, taken, 'memories')
      const text = textOf(item.text)
      if (text === undefined) {
        left.add('memories without a text')
        continue
      }
      yield unlessRounded(place, () => ({
        text,
        metadata: present({
          source: 'hindsight',
          ...beside(
            {
              ...Object.fromEntries(kept.map((name) => [name, item[name]])),
              fact_type: item.fact_type ?? item.type,
              bank_id: item.bank_id,
            },
            metadataOf(item, left),
            left,
            'memories',
          ),
        }),
        external_id: nameOf(item.id),
        occurred_at: timeOf(item.occurred_start) ?? timeOf(item.mentioned_at) ?? timeOf(item.date),
        place,
      }))
    }
  },
}
