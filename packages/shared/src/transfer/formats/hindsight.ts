import type { Format, Memory } from './format.ts'
import type { Leftovers } from './leftovers.ts'
import { readItems } from './read-json.ts'
import { beside, metadataOf, nameOf, objectAt, orFault, textOf, timeOf } from './values.ts'

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
const members = ['items', 'results', 'memories']
const isItem = (root: Record<string, unknown>) => 'text' in root

const isSurely = (start: string) => /"fact_type"\s*:/.test(start)

export const hindsight: Format = {
  title: 'Hindsight',
  takes:
    'memory units as `GET /v1/default/banks/{bank}/memories/list` gives them (`{"items": [...]}`), those that are valid. Fact type, context, entities, tags and document become metadata',
  seen: 'the documentation of `memories/list` at 39c02d62',
  // Some answers have the type of a fact in `type`.
  isLike: (start) => isSurely(start) || /"type"\s*:\s*"(?:world|experience|opinion|observation)"/.test(start),
  isSurely,
  async *convert({ file }, left): AsyncGenerator<Memory> {
    for await (const { n, value } of readItems(file, { members, isItem }, left)) {
      const place = `Memory ${n}`
      yield* orFault(place, () => memoryOf(objectAt(value, place), place, left))
    }
  },
}

function* memoryOf(item: Record<string, unknown>, place: string, left: Leftovers): Generator<Memory> {
  if (item.state === 'invalidated') {
    left.add('invalidated memories')
    return
  }
  left.addFields(item, taken, 'memories')
  const text = textOf(item.text)
  if (text === undefined) {
    left.add('memories without a text')
    return
  }
  const fields = {
    ...Object.fromEntries(kept.map((name) => [name, item[name]])),
    fact_type: item.fact_type ?? item.type,
    bank_id: item.bank_id,
  }
  yield {
    text,
    metadata: { source: 'hindsight', ...beside(fields, metadataOf(item, left), left, 'memories') },
    external_id: nameOf(item.id, 'id'),
    occurred_at:
      timeOf(item.occurred_start, 'occurred_start') ??
      timeOf(item.mentioned_at, 'mentioned_at') ??
      timeOf(item.date, 'date'),
    place,
  }
}
