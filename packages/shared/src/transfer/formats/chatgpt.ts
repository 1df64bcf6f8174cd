import { isObject } from '../../catalogue/fields-json.ts'
import { type Format, type Memory, UnexpectedShape } from './format.ts'
import type { Leftovers } from './leftovers.ts'
import { readItems } from './read-json.ts'
import { nameOf, objectAt, orFault, present, textOf, timeOf } from './values.ts'

const takenOfConversation = [
  ...['id', 'conversation_id', 'title', 'create_time', 'mapping', 'current_node'],
  // The time of the last message says the same.
  'update_time',
]
const takenOfMessage = ['id', 'author', 'create_time', 'content', 'metadata', 'recipient']
const texts = ['text', 'multimodal_text']

type Json = Record<string, unknown>

export const chatgpt: Format = {
  title: 'ChatGPT',
  takes:
    '`conversations.json` of a data export: what user and assistant said, on the branch of each conversation that was shown last. Role, model and title become metadata',
  seen: 'descriptions of exports of 2023 to 2025',
  isLike: (start) => /"mapping"\s*:\s*\{/.test(start),
  async *convert({ file }, left): AsyncGenerator<Memory> {
    const onOther = (name: string) => {
      throw new UnexpectedShape(`it has ${name} where a list of conversations is expected`)
    }
    const isItem = (root: Json) => 'mapping' in root
    for await (const { n, value } of readItems(file, { members: ['conversations'], isItem, onOther }, left)) {
      const conversation = objectAt(value, `conversation ${n}`)
      yield* orFault(`Conversation ${n}`, () => memoriesOf(conversation, n, left))
    }
  },
}

function* memoriesOf(conversation: Json, n: number, left: Leftovers): Generator<Memory> {
  const { mapping } = conversation
  if (mapping === null) {
    left.add('conversations without messages')
    return
  }
  if (!isObject(mapping)) throw new UnexpectedShape(`conversation ${n} has no mapping`)
  left.addFields(conversation, takenOfConversation, 'conversations')
  const id =
    nameOf(conversation.conversation_id, 'conversation_id') ?? nameOf(conversation.id, 'id') ?? String(n)
  const title = textOf(conversation.title)
  const branch = branchOf(mapping, conversation.current_node)
  const all = Object.values(mapping).filter((node) => isObject(node) && isObject(node.message))
  left.add('messages of other branches', all.length - branch.length)
  for (const [i, message] of branch.entries())
    yield* orFault(`Message ${i + 1} of conversation ${n}`, function* () {
      const said = saidIn(message, left)
      if (said === undefined) return
      const messageId = nameOf(message.id, 'id')
      yield {
        text: said.text,
        metadata: present({
          role: said.role,
          conversation: title,
          conversation_id: id,
          model: isObject(message.metadata) ? message.metadata.model_slug : undefined,
          source: 'chatgpt',
        }),
        external_id: messageId === undefined ? undefined : `${id}/${messageId}`,
        occurred_at:
          timeOf(message.create_time, 'create_time') ?? timeOf(conversation.create_time, 'create_time'),
        place: `Message ${messageId ?? '?'} of conversation ${n}`,
      }
    })
}

/** The messages from the first to the one that was shown last. */
function branchOf(mapping: Json, current: unknown): Json[] {
  const branch: Json[] = []
  const seen = new Set<unknown>()
  let at = typeof current === 'string' && isObject(mapping[current]) ? current : lastOf(mapping)
  while (typeof at === 'string' && !seen.has(at)) {
    seen.add(at)
    const node = mapping[at]
    if (!isObject(node)) break
    if (isObject(node.message)) branch.push(node.message)
    at = node.parent as string
  }
  return branch.reverse()
}

/** The node with the latest message, for a conversation that does not say where it ends. */
function lastOf(mapping: Json): string {
  const timeAt = (node: unknown): number => {
    const message = isObject(node) ? node.message : undefined
    const time = isObject(message) ? message.create_time : undefined
    return typeof time === 'number' ? time : Number.NEGATIVE_INFINITY
  }
  let [last, latest] = ['', Number.NEGATIVE_INFINITY]
  for (const [id, node] of Object.entries(mapping)) {
    const time = timeAt(node)
    if (time >= latest) [last, latest] = [id, time]
  }
  return last
}

/** What the user or the assistant said to the other in a message; undefined for all other messages, which `left` counts. */
function saidIn(message: Json, left: Leftovers): { role: string; text: string } | undefined {
  const author = isObject(message.author) ? message.author : {}
  const content = isObject(message.content) ? message.content : {}
  const details = isObject(message.metadata) ? message.metadata : {}
  const role = textOf(author.role) ?? 'unknown'
  const type = textOf(content.content_type) ?? 'unknown'
  if (role !== 'user' && role !== 'assistant') {
    // Each conversation begins with an empty message of the system, which is no loss.
    if (hasText(content)) left.add(`messages of the ${role}`)
    return undefined
  }
  if (details.is_visually_hidden_from_conversation === true) {
    left.add('hidden messages')
    return undefined
  }
  if (!texts.includes(type)) {
    left.add(`messages of type ${type}`)
    return undefined
  }
  if (role === 'assistant' && (textOf(message.recipient) ?? 'all') !== 'all') {
    left.add('calls of tools')
    return undefined
  }
  const text = partsOf(content)
    .flatMap((part) => {
      if (typeof part === 'string') return part
      if (isObject(part) && part.content_type === 'audio_transcription') return textOf(part.text) ?? []
      left.add(`${(isObject(part) && textOf(part.content_type)) || 'parts'} of messages`)
      return []
    })
    .filter((part) => part.trim() !== '')
    .join('\n')
  if (text === '') return undefined
  const { model_slug, ...others } = details
  left.addFields(message, [...takenOfMessage, 'status', 'weight', 'end_turn'], 'messages')
  if (Object.keys(others).length > 0) left.add('further metadata of messages')
  return { role, text }
}

const partsOf = ({ parts }: Json): unknown[] => (Array.isArray(parts) ? parts : [])

const hasText = (content: Json): boolean =>
  partsOf(content).some((part) => textOf(part) !== undefined) || textOf(content.text) !== undefined
