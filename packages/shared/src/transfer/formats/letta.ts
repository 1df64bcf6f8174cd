import { hashOf } from '../hash.ts'
import { type Format, type Memory, UnexpectedShape } from './format.ts'
import type { Leftovers } from './leftovers.ts'
import { readJson } from './read-json.ts'
import { nameOf, objectsOf, orFault, present, textOf, timeOf } from './values.ts'

type Json = Record<string, unknown>

const takenOfBlock = ['id', 'label', 'value', 'description']
const takenOfMessage = ['id', 'role', 'content', 'created_at', 'agent_id', 'tool_calls', 'name', 'type']

export const letta: Format = {
  title: 'a Letta agent file',
  takes:
    '`.af` files: memory blocks, which are protected, and what user and assistant said, `send_message` among it. Label, agent and role become metadata',
  seen: '`letta/schemas/agent_file.py` at 4184ae26',
  isLike: (start) => /"agents"\s*:\s*\[/.test(start),
  async *convert({ file, subject }, left): AsyncGenerator<Memory> {
    const root: Json = {}
    for await (const [place, value] of readJson(file)) {
      if (typeof place === 'number')
        throw new UnexpectedShape('it is a list, where an object with agents is expected')
      root[place] = value
    }
    const { agents, blocks, metadata, created_at, ...others } = root
    if (!Array.isArray(agents)) throw new UnexpectedShape('it has no list of agents')
    for (const [name, value] of Object.entries(others)) left.addMember(name, value)
    const all = objectsOf(agents)
    const owners = ownersOf(all)
    const ids = idsOf(all, subject)
    for (const [n, block] of objectsOf(blocks).entries()) {
      const place = `Block ${n + 1}`
      yield* orFault(place, () => ofBlock(block, place, owners.get(block.id), { created_at, ids, left }))
    }
    for (const agent of all) yield* ofAgent(agent, ids, left)
  },
}

/**
 * Makes the own ids. The ids in a file only count what is in it: `message-1` is another message in each file. So the own id of a
 * message is made of what it says and when, and that of a block of its agent and label. An agent goes by its name; where several in
 * a file have the same, by name and id.
 * @param subject the end user of the whole file: two may have agents of the same name
 */
function idsOf(agents: readonly Json[], subject: string | undefined) {
  const whose = subject === undefined ? [] : [subject]
  const names = agents.map(nameOfAgent)
  const isShared = (name: string) => names.indexOf(name) !== names.lastIndexOf(name)
  const pathOf = (agent: Json): string[] => {
    const name = nameOfAgent(agent)
    const own = isShared(name) ? [nameOf(agent.id, 'id') ?? String(agents.indexOf(agent) + 1)] : []
    return [...whose, name, ...own]
  }
  return {
    block: (agent: Json | undefined, name: string) =>
      [...(agent === undefined ? [...whose, 'blocks'] : pathOf(agent)), name].join('/'),
    message: (agent: Json, { role, created_at, id }: Json, text: string) => {
      const hash = hashOf(JSON.stringify([role, created_at ?? id, text]), 'base64url').slice(0, 16)
      return [...pathOf(agent), hash].join('/')
    },
  }
}

type Ids = ReturnType<typeof idsOf>

/** The agents that have a block, by its id: the first of several. */
function ownersOf(agents: readonly Json[]): ReadonlyMap<unknown, Json> {
  const owners = new Map<unknown, Json>()
  for (const agent of agents) {
    const ids: unknown[] = Array.isArray(agent.block_ids) ? agent.block_ids : []
    for (const id of ids) owners.set(id, owners.get(id) ?? agent)
  }
  return owners
}

const nameOfAgent = ({ name, id }: Json): string => textOf(name) ?? nameOf(id, 'id') ?? 'agent'

function* ofBlock(
  block: Json,
  place: string,
  owner: Json | undefined,
  { created_at, ids, left }: { created_at: unknown; ids: Ids; left: Leftovers },
): Generator<Memory> {
  left.addFields(block, takenOfBlock, 'blocks')
  const text = textOf(block.value)
  if (text === undefined) {
    left.add('empty blocks')
    return
  }
  const agent = owner && nameOfAgent(owner)
  // Labels are unique within an agent only: two blocks without an agent may have the same.
  const name = (owner && nameOf(block.label, 'label')) ?? nameOf(block.id, 'id')
  yield {
    text,
    metadata: present({ label: block.label, description: block.description, agent, source: 'letta' }),
    external_id: name === undefined ? undefined : ids.block(owner, name),
    occurred_at: timeOf(created_at, 'created_at'),
    protected: true,
    place,
  }
}

function* ofAgent(agent: Json, ids: Ids, left: Leftovers): Generator<Memory> {
  const name = nameOfAgent(agent)
  left.addFields(agent, ['id', 'name', 'messages', 'block_ids', 'in_context_message_ids'], 'agents')
  for (const [n, message] of objectsOf(agent.messages).entries()) {
    const place = `Message ${n + 1} of ${name}`
    yield* orFault(place, () => ofMessage(message, place, agent, { ids, left }))
  }
}

function* ofMessage(
  message: Json,
  place: string,
  agent: Json,
  { ids, left }: { ids: Ids; left: Leftovers },
): Generator<Memory> {
  const role = textOf(message.role) ?? 'unknown'
  if (role !== 'user' && role !== 'assistant') {
    left.add(`messages of the ${role}`)
    return
  }
  left.addFields(message, takenOfMessage, 'messages')
  const text = role === 'user' ? unpacked(contentOf(message, left), left) : saidBy(message, left)
  if (text === undefined) return
  yield {
    text,
    metadata: present({ role, agent: nameOfAgent(agent), source: 'letta' }),
    external_id: ids.message(agent, message, text),
    occurred_at: timeOf(message.created_at, 'created_at'),
    place,
  }
}

function contentOf({ content }: Json, left: Leftovers): string | undefined {
  if (typeof content === 'string') return textOf(content)
  const texts = objectsOf(content).flatMap((part) => {
    if (part.type === 'text') return textOf(part.text) ?? []
    left.add(`${textOf(part.type) ?? 'unknown'} of messages`)
    return []
  })
  return texts.length === 0 ? undefined : texts.join('\n')
}

/** What a user said: Letta wraps it in JSON, together with the time. Events of its own, such as logins, are left out. */
function unpacked(text: string | undefined, left: Leftovers): string | undefined {
  const packed = objectIn(text)
  if (typeof packed?.type !== 'string') return text
  const said = packed.type === 'user_message' ? textOf(packed.message) : undefined
  if (said === undefined)
    left.add(packed.type === 'user_message' ? 'messages without a text' : 'events of messages')
  return said
}

/** What an agent said: with some models by a call of its tool `send_message`, with others in the content. */
function saidBy(message: Json, left: Leftovers): string | undefined {
  const calls = objectsOf(message.tool_calls).map((call) => (call.function ?? {}) as Json)
  const said = calls.flatMap((call) => {
    const sent = call.name === 'send_message' ? textOf(objectIn(call.arguments)?.message) : undefined
    if (sent === undefined) left.add('calls of tools')
    return sent ?? []
  })
  if (said.length === 0) return contentOf(message, left)
  // Beside such a call the content is what the agent thought.
  if (contentOf(message, left) !== undefined) left.add('thoughts of messages')
  return said.join('\n')
}

function objectIn(text: unknown): Json | undefined {
  if (typeof text !== 'string' || !text.trimStart().startsWith('{')) return undefined
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}
