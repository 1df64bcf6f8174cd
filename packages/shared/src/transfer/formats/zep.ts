import type { Format, Memory } from './format.ts'
import type { Leftovers } from './leftovers.ts'
import { readItems } from './read-json.ts'
import { metadataOf, nameOf, objectAt, present, textOf, timeOf } from './values.ts'

type Json = Record<string, unknown>

const lists = ['edges', 'facts', 'nodes', 'episodes', 'messages']
const keptOfFact = ['source_node_uuid', 'target_node_uuid', 'attributes']
const takenOfFact = [
  'uuid',
  'group_id',
  'fact',
  'name',
  'created_at',
  'valid_at',
  'invalid_at',
  'expired_at',
  ...keptOfFact,
]
const takenOfNode = ['uuid', 'group_id', 'name', 'summary', 'labels', 'created_at', 'attributes']
const takenOfEpisode = [
  ...['uuid', 'group_id', 'content', 'role', 'role_type', 'name', 'created_at', 'valid_at', 'metadata'],
  ...['source', 'source_description', 'thread_id', 'session_id', 'user_id'],
]

export const zep: Format = {
  title: 'Zep or Graphiti',
  takes:
    'edges (facts, with when they held), nodes with a summary, and episodes or messages: lists, or an object of such lists. `group_id` or `user_id` becomes the subject, `invalid_at` `valid_to`',
  seen: '`EntityEdge`, `EntityNode` and `EpisodicNode` of graphiti-core, as of 2026',
  isLike: (start) =>
    /"fact"\s*:\s*"|"role_type"\s*:|"source_description"\s*:|"summary"[\s\S]*"labels"\s*:/.test(start),
  async *convert({ file }, left): AsyncGenerator<Memory> {
    const other = (name: string, value: unknown) => {
      if (!['total_count', 'row_count'].includes(name))
        left.add(name, Array.isArray(value) ? value.length : 1)
    }
    for await (const { list, n, value } of readItems(file, lists, other)) {
      const place = `${list ?? 'Item'} ${n}`
      const memory = memoryOf(objectAt(value, place), place, left)
      if (memory !== undefined) yield memory
    }
  },
}

function memoryOf(item: Json, place: string, left: Leftovers): Memory | undefined {
  const subject = nameOf(item.group_id) ?? nameOf(item.user_id)
  const common = { external_id: nameOf(item.uuid), subject, place }
  if ('fact' in item) return factOf(item, common, left)
  if ('content' in item) return episodeOf(item, common, left)
  const summary = textOf(item.summary)
  if (summary === undefined) {
    left.add('summary' in item ? 'nodes without a summary' : 'items that are no fact, node or episode')
    return undefined
  }
  left.addFields(item, takenOfNode, 'nodes')
  const { labels, attributes, name } = item
  return {
    ...common,
    text: [textOf(name), summary].filter((part) => part !== undefined).join(': '),
    metadata: present({ kind: 'node', name, labels, attributes, source: 'zep' }),
    occurred_at: timeOf(item.created_at),
  }
}

type Common = Pick<Memory, 'external_id' | 'subject' | 'place'>

function factOf(item: Json, common: Common, left: Leftovers): Memory | undefined {
  const text = textOf(item.fact)
  if (text === undefined) {
    left.add('facts without a text')
    return undefined
  }
  left.addFields(item, takenOfFact, 'facts')
  const valid = timeOf(item.valid_at)
  return {
    ...common,
    text,
    metadata: present({
      kind: 'fact',
      relation: item.name,
      ...Object.fromEntries(keptOfFact.map((name) => [name, item[name]])),
      source: 'zep',
    }),
    occurred_at: valid ?? timeOf(item.created_at),
    valid_from: valid,
    // What the graph has given up believing has ended too.
    valid_to: timeOf(item.invalid_at) ?? timeOf(item.expired_at),
  }
}

function episodeOf(item: Json, common: Common, left: Leftovers): Memory | undefined {
  const text = textOf(item.content)
  if (text === undefined) {
    left.add('episodes without a text')
    return undefined
  }
  left.addFields(item, takenOfEpisode, 'episodes')
  const { name, source, source_description, thread_id, session_id } = item
  return {
    ...common,
    text,
    metadata: present({
      kind: 'episode',
      role: item.role_type ?? item.role,
      ...{ name, episode_source: source, source_description, thread_id, session_id },
      ...metadataOf(item, left),
      source: 'zep',
    }),
    occurred_at: timeOf(item.valid_at) ?? timeOf(item.created_at),
  }
}
