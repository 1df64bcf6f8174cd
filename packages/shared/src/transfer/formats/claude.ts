import { isObject } from '../../catalogue/fields-json.ts'
import { type Format, type Memory, UnexpectedShape } from './format.ts'
import type { Leftovers } from './leftovers.ts'
import { memoriesOfMarkdown } from './markdown.ts'
import { readJson } from './read-json.ts'
import { nameOf, objectAt, objectsOf, orFault, present, textOf, timeOf } from './values.ts'

const takenOfConversation = ['uuid', 'name', 'created_at', 'updated_at', 'account', 'chat_messages']
const takenOfMessage = [
  'uuid',
  'text',
  'content',
  'sender',
  'created_at',
  'updated_at',
  'attachments',
  'files',
]
const takenOfMemories = ['conversations_memory', 'project_memories', 'account_uuid']
const roles: Record<string, string> = { human: 'user', assistant: 'assistant' }

type Json = Record<string, unknown>

export const claude: Format = {
  title: 'Claude',
  takes:
    '`conversations.json` of a data export, what both sides said; and `memories.json`, point by point. Role and name of the conversation become metadata',
  seen: 'descriptions of exports of 2025 and of April 2026',
  isLike: (start) => /"chat_messages"\s*:\s*\[|"conversations_memory"\s*:/.test(start),
  async *convert({ file, subject }, left): AsyncGenerator<Memory> {
    const root: Json = {}
    for await (const [place, value] of readJson(file)) {
      if (typeof place === 'string') root[place] = value
      else if (value === null) left.add('items that are null')
      else yield* ofItem(objectAt(value, `item ${place}`), place, subject, left)
    }
    if (Object.keys(root).length > 0) yield* ofItem(root, 1, subject, left)
  },
}

function* ofItem(item: Json, n: number, subject: string | undefined, left: Leftovers): Generator<Memory> {
  if (Array.isArray(item.chat_messages))
    yield* orFault(`Conversation ${n}`, () => ofConversation(item, n, left))
  else if ('conversations_memory' in item || 'project_memories' in item)
    yield* orFault(`Item ${n}`, () => ofMemories(item, subject, left))
  else throw new UnexpectedShape(`item ${n} has neither chat_messages nor conversations_memory`)
}

function* ofConversation(conversation: Json, n: number, left: Leftovers): Generator<Memory> {
  left.addFields(conversation, takenOfConversation, 'conversations')
  const id = nameOf(conversation.uuid, 'uuid') ?? String(n)
  for (const [i, message] of objectsOf(conversation.chat_messages).entries())
    yield* orFault(`Message ${i + 1} of conversation ${n}`, function* () {
      left.addFields(message, takenOfMessage, 'messages')
      for (const name of ['attachments', 'files'] as const) left.add(name, objectsOf(message[name]).length)
      const sender = textOf(message.sender) ?? 'unknown'
      const role = Object.hasOwn(roles, sender) ? roles[sender] : undefined
      const text = saidIn(message, left)
      if (role === undefined) left.add(`messages of ${sender}`)
      if (role === undefined || text === undefined) return
      const messageId = nameOf(message.uuid, 'uuid')
      yield {
        text,
        metadata: present({
          role,
          conversation: textOf(conversation.name),
          conversation_id: id,
          source: 'claude',
        }),
        external_id: messageId === undefined ? undefined : `${id}/${messageId}`,
        occurred_at:
          timeOf(message.created_at, 'created_at') ?? timeOf(conversation.created_at, 'created_at'),
        place: `Message ${messageId ?? '?'} of conversation ${n}`,
      }
    })
}

/** The text of a message: that of its blocks, which older exports lack. */
function saidIn({ content, text }: Json, left: Leftovers): string | undefined {
  const blocks = objectsOf(content)
  if (blocks.length === 0) return textOf(text)
  const said = blocks.flatMap((block) => {
    if (block.type === 'text') return textOf(block.text) ?? []
    left.add(`${textOf(block.type) ?? 'unknown'} of messages`)
    return []
  })
  return said.length === 0 ? undefined : said.join('\n\n')
}

/** What Claude itself remembers of the user and of each project, which is Markdown. */
function* ofMemories(item: Json, subject: string | undefined, left: Leftovers): Generator<Memory> {
  left.addFields(item, takenOfMemories, 'memories')
  const account = nameOf(item.account_uuid, 'account_uuid')
  const projects = isObject(item.project_memories) ? item.project_memories : {}
  const parts: [string, unknown, Json][] = [
    ['conversations_memory', item.conversations_memory, {}],
    ...Object.entries(projects).map(([id, text]): [string, unknown, Json] => [
      `project_memories/${id}`,
      text,
      { project_id: id },
    ]),
  ]
  for (const [name, text, metadata] of parts) {
    const markdown = textOf(text)
    if (markdown === undefined) continue
    const of = [account, name].filter((each) => each !== undefined).join('/')
    yield* memoriesOfMarkdown(markdown, { of, subject, metadata: { ...metadata, source: 'claude' } }, left)
  }
}
