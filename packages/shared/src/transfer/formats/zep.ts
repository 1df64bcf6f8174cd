import type { Format, Memory } from './format.ts'
import type { Leftovers } from './leftovers.ts'
import { readItems } from './read-json.ts'
import { beside, metadataOf, nameOf, objectAt, present, textOf, timeOf, unlessRounded } from './values.ts'

type Json = Record<string, unknown>

const lists = ['edges', 'facts', 'nodes', 'episodes', 'messages']
/** Of an answer that was one page of several, and of a thread. */
const ofPage = ['total_count', 'row_count', 'thread_created_at', 'created_at', 'user_uuid']
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
  ...['source', 'source_description', 'thread_id', 'session_id', 'user_id', 'processed'],
]

/** As a thread is answered: its messages, behind what else there is of it. */
const thread =
  /^\uFEFF?\s*\{(?:\s*"\w+"\s*:\s*(?:"[^"]*"|[\w.+-]+)\s*,)*\s*"messages"\s*:\s*\[\s*\{[^[\]]*"content"\s*:/

const isSurely = (start: string) =>
  /"fact"\s*:\s*"|"role_type"\s*:|"source_description"\s*:|"summary"[\s\S]*"labels"\s*:/.test(start)

export const zep: Format = {
  title: 'Zep or Graphiti',
  takes:
    'edges (facts, with when they held), nodes with a summary, and episodes or messages: lists, or an object of such lists. `group_id` or `user_id` becomes the subject, `invalid_at` `valid_to`',
  seen: '`EntityEdge`, `EntityNode` and `EpisodicNode` of graphiti-core, as of 2026',
  isLike: (start) => isSurely(start) || thread.test(start),
  isSurely,
  async *convert({ file }, left): AsyncGenerator<Memory> {
    let user: unknown
    const other = (name: string, value: unknown) => {
      if (name === 'user_id') user = value
      else if (!ofPage.includes(name)) left.add(name, Array.isArray(value) ? value.length : 1)
    }
    const isItem = (root: Json) => ['fact', 'content', 'summary'].some((name) => name in root)
    const ofLists: Memory[] = []
    for await (const { list, n, value } of readItems(file, lists, other, isItem)) {
      const place = `${list ?? 'Item'} ${n}`
      const item = objectAt(value, place)
      const memory = unlessRounded(place, () => memoryOf(item, place, left))
      if (memory === undefined) continue
      // Whose a thread is stands behind its messages.
      if (list === undefined) yield memory
      else ofLists.push(memory)
    }
    for (const memory of ofLists)
      yield unlessRounded(memory.place, () => ({ ...memory, subject: memory.subject ?? nameOf(user) }))
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
  const occurred = valid ?? timeOf(item.created_at)
  // What the graph has given up believing has ended too.
  const ended = timeOf(item.invalid_at) ?? timeOf(item.expired_at)
  if (occurred !== undefined && ended !== undefined && Date.parse(ended) <= Date.parse(occurred)) {
    left.add('facts that were over when they began')
    return undefined
  }
  return {
    ...common,
    text,
    metadata: present({
      kind: 'fact',
      relation: item.name,
      ...Object.fromEntries(keptOfFact.map((name) => [name, item[name]])),
      source: 'zep',
    }),
    occurred_at: occurred,
    valid_from: valid,
    valid_to: ended,
  }
}

function episodeOf(item: Json, common: Common, left: Leftovers): Memory | undefined {
  const text = textOf(item.content)
  if (text === undefined) {
    left.add('episodes without a text')
    return undefined
  }
  left.addFields(item, takenOfEpisode, 'episodes')
  const { source, source_description, thread_id, session_id } = item
  const role = item.role_type ?? item.role
  // Beside a type of the role, the role is who it was.
  const name = item.name ?? (role === item.role ? undefined : item.role)
  return {
    ...common,
    text,
    metadata: present({
      kind: 'episode',
      source: 'zep',
      ...beside(
        { role, name, episode_source: source, source_description, thread_id, session_id },
        metadataOf(item, left),
        left,
        'episodes',
      ),
    }),
    occurred_at: timeOf(item.valid_at) ?? timeOf(item.created_at),
  }
}
