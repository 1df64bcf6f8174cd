import { isObject } from '../../catalogue/fields-json.ts'
import type { Format, Memory } from './format.ts'
import type { Leftovers } from './leftovers.ts'
import { readItems } from './read-json.ts'
import { beside, nameOf, objectAt, orFault, textOf, timeOf } from './values.ts'

type Json = Record<string, unknown>

const taken = ['namespace', 'key', 'value', 'created_at', 'updated_at']
/** Where applications keep the text of an item; LangMem keeps `{"kind": "Memory", "content": {"content": "..."}}`. */
const textFields = ['text', 'content', 'memory', 'data', 'fact']

export const langgraph: Format = {
  title: 'a LangGraph store',
  takes:
    'the items that `store.search` or `/store/items/search` gives: a list, or `{"items": [...]}`. The text is `text`, `content`, `memory`, `data` or `fact` of the value, the rest of which becomes metadata, as the namespace does',
  seen: '`Item` of `langgraph.store.base` and langmem’s `Memory`, as of 2026',
  isLike: (start) => /"namespace"\s*:\s*\[/.test(start),
  async *convert({ file }, left): AsyncGenerator<Memory> {
    const onOther = (name: string) => left.add(`member ${name}`)
    const isItem = (root: Json) => 'value' in root
    for await (const { n, value } of readItems(file, { members: ['items'], isItem, onOther }, left)) {
      const place = `Item ${n}`
      yield* orFault(place, () => memoryOf(objectAt(value, place), place, left))
    }
  },
}

function* memoryOf(item: Json, place: string, left: Leftovers): Generator<Memory> {
  left.addFields(item, taken, 'items')
  const found = isObject(item.value) ? textIn(item.value) : undefined
  if (found === undefined) {
    left.add('items without a text')
    return
  }
  const namespace = namespaceOf(item)
  const key = nameOf(item.key, 'key')
  const fields = { namespace, key, updated_at: item.updated_at }
  yield {
    text: found.text,
    metadata: { source: 'langgraph', ...beside(fields, found.rest, left, 'items') },
    external_id: key === undefined ? undefined : [...namespace, key].map(segment).join('/'),
    occurred_at: timeOf(item.created_at, 'created_at'),
    place,
  }
}

/** The segments of a namespace; a text alone is one. @throws WrongValue for a value that names none */
function namespaceOf({ namespace }: Json): unknown[] {
  if (Array.isArray(namespace)) return namespace
  const only = nameOf(namespace, 'namespace')
  return only === undefined ? [] : [only]
}

/** A segment of a path, with its own slashes escaped. */
const segment = (part: unknown): string => String(part).replace(/[%/]/g, encodeURIComponent)

function textIn(value: Json): { text: string; rest: Json } | undefined {
  for (const name of textFields) {
    const { [name]: held, ...rest } = value
    const text = textOf(held)
    if (text !== undefined) return { text, rest }
    const within = isObject(held) ? textIn(held) : undefined
    if (within !== undefined) return { text: within.text, rest: { ...rest, ...within.rest } }
  }
  return undefined
}
