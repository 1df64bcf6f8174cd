import type { Format, Memory } from './format.ts'
import type { Leftovers } from './leftovers.ts'
import { readItems, tellsPages } from './read-json.ts'
import { beside, metadataOf, nameOf, objectAt, orFault, present, textOf, timeOf } from './values.ts'

type Json = Record<string, unknown>

const members = ['edges', 'facts', 'nodes', 'episodes', 'messages', 'items']
/** Times of a whole thread, which are not needed: each message has its own. */
const ofThread = ['thread_created_at', 'created_at']
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
  ...['source', 'source_description', 'thread_id', 'thread_uuid', 'session_id', 'user_id', 'processed'],
  'reference_time',
]

/** How an answer with a thread, or a page of one, begins: other members may come before its messages. */
const thread =
  /^\uFEFF?\s*\{(?:\s*"\w+"\s*:\s*(?:"[^"]*"|[\w.+-]+)\s*,)*\s*"(?:messages|items)"\s*:\s*\[\s*\{[^[\]]*"content"\s*:/

const isSurely = (start: string) =>
  /"fact"\s*:\s*"|"role_type"\s*:|"source_description"\s*:/.test(start) || hasNode(start)

/** Graphiti writes labels before the summary, and an embedding between them that may be longer than all that is looked at. */
const hasNode = (start: string) =>
  /"labels"\s*:\s*\[/.test(start) && /"(?:summary|name_embedding)"\s*:/.test(start)

export const zep: Format = {
  title: 'Zep or Graphiti',
  takes:
    'edges (facts, with when they held), nodes with a summary, and episodes or messages: lists, pages, or an object of such lists. `group_id` or the user becomes the subject, `invalid_at` `valid_to`',
  seen: '`EntityEdge`, `EntityNode` and `EpisodicNode` of graphiti-core, and pages of zep-cloud 4.0, as of 2026',
  isLike: (start) => isSurely(start) || thread.test(start),
  isSurely,
  async *convert({ file }, left): AsyncGenerator<Memory> {
    const owner: Json = {}
    const onOther = (name: string, value: unknown, read: number) => {
      if (name === 'user_id' || name === 'user_uuid') owner[name] = value
      else if (!tellsPages(name, value, read, left) && !ofThread.includes(name)) left.addMember(name, value)
    }
    const isItem = (root: Json) => ['fact', 'content', 'summary'].some((name) => name in root)
    const ofLists: Memory[] = []
    for await (const { list, n, value } of readItems(file, { members, isItem, onOther }, left)) {
      const place = `${list ?? 'Item'} ${n}`
      const memories = orFault(place, () => memoryOf(objectAt(value, place), place, left))
      // Whose a thread is may come after its messages.
      if (list === undefined) yield* memories
      else ofLists.push(...memories)
    }
    const ownerOf = () => nameOf(owner.user_id, 'user_id') ?? nameOf(owner.user_uuid, 'user_uuid')
    for (const memory of ofLists) {
      if (memory.subject !== undefined) yield memory
      else yield* orFault(memory.place, () => [{ ...memory, subject: ownerOf() }])
    }
  },
}

function* memoryOf(item: Json, place: string, left: Leftovers): Generator<Memory> {
  const subject = nameOf(item.group_id, 'group_id') ?? nameOf(item.user_id, 'user_id')
  const common = { external_id: nameOf(item.uuid, 'uuid'), subject, place }
  if ('fact' in item) yield* factOf(item, common, left)
  else if ('content' in item) yield* episodeOf(item, common, left)
  else yield* nodeOf(item, common, left)
}

type Common = Pick<Memory, 'external_id' | 'subject' | 'place'>

function* nodeOf(item: Json, common: Common, left: Leftovers): Generator<Memory> {
  const summary = textOf(item.summary)
  if (summary === undefined) {
    left.add('summary' in item ? 'nodes without a summary' : 'items that are no fact, node or episode')
    return
  }
  left.addFields(item, takenOfNode, 'nodes')
  const { labels, attributes, name } = item
  yield {
    ...common,
    text: [textOf(name), summary].filter((part) => part !== undefined).join(': '),
    metadata: present({ kind: 'node', name, labels, attributes, source: 'zep' }),
    occurred_at: timeOf(item.created_at, 'created_at'),
  }
}

function* factOf(item: Json, common: Common, left: Leftovers): Generator<Memory> {
  const text = textOf(item.fact)
  if (text === undefined) {
    left.add('facts without a text')
    return
  }
  left.addFields(item, takenOfFact, 'facts')
  const valid = timeOf(item.valid_at, 'valid_at')
  const occurred = valid ?? timeOf(item.created_at, 'created_at')
  // A fact that the graph has replaced (`expired_at`) has ended too.
  const ended = timeOf(item.invalid_at, 'invalid_at') ?? timeOf(item.expired_at, 'expired_at')
  if (occurred !== undefined && ended !== undefined && Date.parse(ended) <= Date.parse(occurred)) {
    left.add(`facts that were over when they ${valid === undefined ? 'were recorded' : 'began'}`)
    return
  }
  yield {
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

function* episodeOf(item: Json, common: Common, left: Leftovers): Generator<Memory> {
  const text = textOf(item.content)
  if (text === undefined) {
    left.add('episodes without a text')
    return
  }
  left.addFields(item, takenOfEpisode, 'episodes')
  const { source, source_description, thread_id, thread_uuid, session_id } = item
  const role = item.role_type ?? item.role
  // Where the role has a type, `role` is the name of who spoke.
  const name = item.name ?? (role === item.role ? undefined : item.role)
  const fields = {
    role,
    name,
    episode_source: source,
    source_description,
    thread_id,
    thread_uuid,
    session_id,
  }
  yield {
    ...common,
    text,
    metadata: { kind: 'episode', source: 'zep', ...beside(fields, metadataOf(item, left), left, 'episodes') },
    // `created_at` comes last: in answers of Zep it is when a message was received, which is later.
    occurred_at:
      timeOf(item.reference_time, 'reference_time') ??
      timeOf(item.valid_at, 'valid_at') ??
      timeOf(item.created_at, 'created_at'),
  }
}
