import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { CommandClient } from '@memory/cli/client'
import { Failure } from '@memory/cli/command'
import { conversionOf, importFile, tryImport } from '@memory/cli/import'
import { limits } from '@memory/shared/catalogue/limits'
import type { Conversion } from '@memory/shared/transfer/formats/convert'
import { type FormatName, formatNames, formats, looksLike } from '@memory/shared/transfer/formats/formats'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../support/client.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { newBench } from './support.ts'

let server: TestServer
let folder: string

beforeAll(async () => {
  server = await startServer()
  folder = mkdtempSync(join(tmpdir(), 'memory-formats-'))
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

interface Options {
  map?: string[]
  items?: string
  subject?: string
  strict?: boolean
  name?: string
}

interface Stored {
  text: string
  metadata: Record<string, unknown>
  external_id: string | null
  subject: string | null
  occurred_at: string
  expires_at: string | null
  valid_from: string
  valid_to: string | null
  protected: boolean
}

let files = 0

function write(content: unknown, name = `export-${++files}`): string {
  const file = join(folder, name)
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content, null, 1))
  return file
}

const conversion = (from: FormatName, { map = [], items, subject }: Options = {}) =>
  conversionOf({ from, map, items, subject }) as Conversion

/** Imports a file into a space of its own. @returns what the service holds then, and what was said */
async function imported(from: FormatName, content: unknown, options: Options = {}) {
  const client: Client = await server.newClient()
  const lines: string[] = []
  const run = await importFile({
    file: write(content, options.name),
    client: new CommandClient({ connection: { url: server.url, key: client.key, keySource: 'the test' } }),
    output: { write: (line) => lines.push(line) },
    conversion: conversion(from, options),
    strict: options.strict ?? false,
  })
  const { body } = await client.get('/v1/memory/patterns?limit=200&include_superseded=true')
  const stored = body.patterns as Stored[]
  expect(run.stored).toBe(stored.length)
  return { stored, lines, left: lines.find((line) => line.startsWith('Not imported')) }
}

const pick = <Name extends keyof Stored>(stored: readonly Stored[], ...names: Name[]) =>
  stored.map((one) => Object.fromEntries(names.map((name) => [name, one[name]])))

const mem0 = {
  results: [
    {
      id: '3f1c9a52-0b53-4d7e-9d3c-1a6f5a0c7e01',
      memory: 'Likes to hike on weekends',
      hash: '4f1b0a3d',
      metadata: { trip: 'alps' },
      score: null,
      created_at: '2025-07-20T01:30:36.275141-07:00',
      updated_at: '2025-08-01T09:00:00-07:00',
      user_id: 'alex',
      agent_id: 'guide',
      categories: ['hobbies', 'sports'],
      expiration_date: '2999-01-01',
    },
    { id: '3f1c9a52-0b53-4d7e-9d3c-1a6f5a0c7e02', memory: 'Is vegetarian', user_id: 'blake', role: 'user' },
    { id: '3f1c9a52-0b53-4d7e-9d3c-1a6f5a0c7e03', memory: '', user_id: 'blake' },
  ],
  relations: [{ source: 'alex', relationship: 'likes', target: 'hiking' }],
}

const node = (id: string, parent: string | null, children: string[], message: object | null) => ({
  [id]: { id, parent, children, message: message && { id, ...message } },
})
const said = (role: string, text: string, time: number, more: object = {}) => ({
  author: { role, name: null, metadata: {} },
  create_time: time,
  update_time: null,
  content: { content_type: 'text', parts: [text] },
  status: 'finished_successfully',
  end_turn: true,
  weight: 1,
  metadata: {},
  recipient: 'all',
  channel: null,
  ...more,
})
const chatgpt = [
  {
    title: 'Trip to Porto',
    create_time: 1_746_000_000.5,
    update_time: 1_746_000_100.5,
    mapping: {
      ...node('root', null, ['sys'], null),
      ...node('sys', 'root', ['u1'], said('system', '', 1_746_000_000)),
      ...node(
        'u1',
        'sys',
        ['a0', 'a1'],
        said('user', 'When does the train to Porto leave?', 1_746_000_001.25),
      ),
      ...node('a0', 'u1', [], said('assistant', 'At nine.', 1_746_000_005)),
      ...node(
        'a1',
        'u1',
        ['t1'],
        said('assistant', 'search("train porto")', 1_746_000_006, {
          recipient: 'browser',
          content: { content_type: 'code', language: 'unknown', text: 'search("train porto")' },
        }),
      ),
      ...node('t1', 'a1', ['a2'], said('tool', 'Timetable …', 1_746_000_007)),
      ...node(
        'a2',
        't1',
        ['u2'],
        said('assistant', 'At noon, from platform 4.', 1_746_000_010, { metadata: { model_slug: 'gpt-5' } }),
      ),
      ...node('u2', 'a2', [], {
        ...said('user', '', 1_746_000_020),
        content: {
          content_type: 'multimodal_text',
          parts: [{ content_type: 'image_asset_pointer', asset_pointer: 'file-service://x' }, 'My ticket.'],
        },
      }),
    },
    moderation_results: [],
    current_node: 'u2',
    conversation_id: 'c-1',
    id: 'c-1',
    gizmo_id: 'g-travel',
  },
  {
    title: 'Greetings',
    create_time: 1_747_000_000,
    mapping: {
      ...node('r2', null, ['h1'], null),
      ...node('h1', 'r2', [], said('user', 'Hello there.', 1_747_000_001)),
    },
    current_node: 'h1',
    conversation_id: 'c-2',
  },
]

const claudeMessage = (uuid: string, sender: string, text: string, more: object = {}) => ({
  uuid,
  text,
  content: [{ start_timestamp: null, stop_timestamp: null, type: 'text', text, citations: [] }],
  sender,
  created_at: '2026-02-01T10:00:00.123456Z',
  updated_at: '2026-02-01T10:00:00.123456Z',
  attachments: [],
  files: [],
  ...more,
})
const claude = [
  {
    uuid: 'conv-1',
    name: 'Garden plans',
    summary: 'About a garden.',
    created_at: '2026-02-01T09:59:00.000000Z',
    updated_at: '2026-02-01T10:05:00.000000Z',
    account: { uuid: 'acc-1' },
    chat_messages: [
      claudeMessage('m-1', 'human', 'What grows in the shade?', {
        attachments: [{ file_name: 'plan.txt', file_size: 4, file_type: 'txt', extracted_content: 'Plan' }],
      }),
      claudeMessage('m-2', 'assistant', 'ignored where there are blocks', {
        content: [
          { type: 'thinking', thinking: 'Ferns?' },
          { type: 'text', text: 'Ferns do.' },
          { type: 'tool_use', name: 'web_search', input: {} },
          { type: 'text', text: 'Hostas too.' },
        ],
      }),
      claudeMessage('m-3', 'human', 'Thanks!', { content: undefined }),
    ],
  },
]
const claudeMemories = [
  {
    conversations_memory: '**Work**\n\n- Ada is a gardener.\n- She works in Lisbon.',
    project_memories: { 'p-1': 'The greenhouse opens in June.' },
    account_uuid: 'acc-1',
  },
]

const notes = `---
title: Notes
---
# Project

Use pnpm, not npm.

## Style

- Two spaces.
- [2026-03-01] - No default exports.
  - Except in configs.
1. Tests first.

<!-- internal -->

## Commands

\`\`\`sh
make build
\`\`\`
`

const letta = {
  agents: [
    {
      id: 'agent-0',
      name: 'helper',
      system: 'You are helpful.',
      block_ids: ['block-0'],
      in_context_message_ids: ['message-0'],
      messages: [
        { id: 'message-0', role: 'system', content: [{ type: 'text', text: 'You are helpful.' }] },
        {
          id: 'message-1',
          role: 'user',
          content: [
            {
              type: 'text',
              text: JSON.stringify({ type: 'user_message', message: 'I moved to Lisbon.', time: '10:00 AM' }),
            },
          ],
          created_at: '2025-09-01T10:00:00+00:00',
        },
        {
          id: 'message-2',
          role: 'assistant',
          content: [{ type: 'text', text: 'They moved; greet them.' }],
          tool_calls: [
            {
              id: 'c1',
              type: 'function',
              function: { name: 'send_message', arguments: '{"message": "How nice!"}' },
            },
            { id: 'c2', type: 'function', function: { name: 'core_memory_append', arguments: '{}' } },
          ],
          created_at: '2025-09-01T10:00:05+00:00',
        },
        { id: 'message-3', role: 'tool', content: [{ type: 'text', text: 'OK' }], tool_call_id: 'c1' },
        {
          id: 'message-4',
          role: 'user',
          content: [{ type: 'text', text: JSON.stringify({ type: 'heartbeat', reason: 'login' }) }],
        },
        { id: 'message-5', role: 'assistant', content: [{ type: 'text', text: 'Anything else?' }] },
      ],
    },
  ],
  groups: [],
  blocks: [
    { id: 'block-0', label: 'human', value: 'Name: Ada', limit: 5_000, description: 'About the person' },
    { id: 'block-1', label: 'empty', value: '' },
  ],
  files: [{ id: 'file-0', file_name: 'a.pdf' }],
  sources: [],
  tools: [{ id: 'tool-0', name: 'send_message' }],
  mcp_servers: [],
  metadata: { revision_id: 'x' },
  created_at: '2025-09-02T00:00:00+00:00',
}

const zep = {
  edges: [
    {
      uuid: 'e-1',
      group_id: 'ada',
      source_node_uuid: 'n-1',
      target_node_uuid: 'n-2',
      name: 'LIVES_IN',
      fact: 'Ada lives in Oslo.',
      fact_embedding: [0.1, 0.2],
      episodes: ['ep-1'],
      created_at: '2025-01-05T00:00:00Z',
      valid_at: '2024-01-01T00:00:00Z',
      invalid_at: '2025-05-01T00:00:00Z',
      expired_at: null,
      attributes: {},
    },
  ],
  nodes: [
    { uuid: 'n-1', group_id: 'ada', name: 'Ada', summary: 'A gardener in Lisbon.', labels: ['Person'] },
    { uuid: 'n-2', group_id: 'ada', name: 'Oslo', summary: '', labels: ['City'] },
  ],
  episodes: [
    {
      uuid: 'ep-1',
      group_id: 'ada',
      content: 'I moved to Lisbon.',
      role_type: 'user',
      source: 'message',
      source_description: 'chat',
      created_at: '2025-05-01T08:00:00Z',
      valid_at: '2025-05-01T07:59:00Z',
    },
  ],
}

const hindsight = {
  items: [
    {
      id: 'h-1',
      text: 'Ada signed the lease in Lyon.',
      context: 'housing',
      date: '2026-01-02T00:00:00+00:00',
      fact_type: 'experience',
      document_id: 'doc-1',
      entities: 'Ada, Lyon',
      tags: ['home'],
      state: 'valid',
      proof_count: 2,
      mentioned_at: '2026-01-03T00:00:00+00:00',
      occurred_start: '2026-01-01T09:00:00+00:00',
      occurred_end: null,
      chunk_id: 'chunk-1',
      metadata: { session_id: 's-1' },
    },
    { id: 'h-2', text: 'Ada lives in Oslo.', fact_type: 'world', state: 'invalidated' },
  ],
  total: 2,
  limit: 100,
  offset: 0,
}

const langgraph = {
  items: [
    {
      namespace: ['memories', 'ada'],
      key: 'k-1',
      value: { text: 'Ada takes oat milk.', importance: 3 },
      created_at: '2025-11-01T10:00:00.000000+00:00',
      updated_at: '2025-11-02T10:00:00.000000+00:00',
      score: null,
    },
    {
      namespace: ['memories', 'ada'],
      key: 'k-2',
      value: { kind: 'Memory', content: { content: 'Ada has a cat.' } },
      created_at: '2025-11-01T11:00:00+00:00',
      updated_at: '2025-11-01T11:00:00+00:00',
    },
    { namespace: ['settings'], key: 'theme', value: { dark: true }, created_at: '2025-11-01T11:00:00+00:00' },
  ],
}

const table =
  'id;content;user;when;pinned;mood\r\n7;"Ada said ""hi""; twice";ada;1746000000;yes;good\r\n8;;ben;;;\r\n'

describe('a file of another product', () => {
  it('of mem0: memories with their users, times, categories and metadata', async () => {
    const { stored, left } = await imported('mem0', mem0)
    expect(pick(stored, 'text', 'external_id', 'subject', 'metadata')).toEqual([
      {
        text: 'Likes to hike on weekends',
        external_id: mem0.results[0]?.id,
        subject: 'alex',
        metadata: {
          agent_id: 'guide',
          categories: ['hobbies', 'sports'],
          updated_at: '2025-08-01T09:00:00-07:00',
          trip: 'alps',
          source: 'mem0',
        },
      },
      {
        text: 'Is vegetarian',
        external_id: mem0.results[1]?.id,
        subject: 'blake',
        metadata: { role: 'user', source: 'mem0' },
      },
    ])
    expect(stored[0]).toMatchObject({
      occurred_at: '2025-07-20T08:30:36.275Z',
      // To the end of that day, as mem0 has it.
      expires_at: '2999-01-02T00:00:00.000Z',
    })
    expect(left).toBe('Not imported: hash of memories (1), memories without a text (1), relations (1).')
    // A list alone is what older versions gave.
    expect((await imported('mem0', mem0.results)).stored).toHaveLength(2)
  })

  it('of ChatGPT: what was said on the branch that was shown last', async () => {
    const { stored, left } = await imported('chatgpt', chatgpt, { subject: 'ada' })
    expect(pick(stored, 'text', 'external_id', 'occurred_at', 'subject')).toEqual([
      {
        text: 'When does the train to Porto leave?',
        external_id: 'c-1/u1',
        occurred_at: '2025-04-30T08:00:01.250Z',
        subject: 'ada',
      },
      {
        text: 'At noon, from platform 4.',
        external_id: 'c-1/a2',
        occurred_at: '2025-04-30T08:00:10.000Z',
        subject: 'ada',
      },
      { text: 'My ticket.', external_id: 'c-1/u2', occurred_at: '2025-04-30T08:00:20.000Z', subject: 'ada' },
      {
        text: 'Hello there.',
        external_id: 'c-2/h1',
        occurred_at: '2025-05-11T21:46:41.000Z',
        subject: 'ada',
      },
    ])
    expect(stored[1]?.metadata).toEqual({
      role: 'assistant',
      conversation: 'Trip to Porto',
      conversation_id: 'c-1',
      model: 'gpt-5',
      source: 'chatgpt',
    })
    expect(left).toBe(
      'Not imported: gizmo_id of conversations (1), messages of other branches (1), messages of type code (1), messages of the tool (1), image_asset_pointer of messages (1).',
    )
  })

  it('of ChatGPT without an end: the branch of the latest message', async () => {
    const [{ current_node: _, ...open }] = chatgpt as [(typeof chatgpt)[0] & object]
    const { stored } = await imported('chatgpt', [open])
    expect(pick(stored, 'text').at(-1)).toEqual({ text: 'My ticket.' })
  })

  it('of Claude: what was said, and what it keeps of a person', async () => {
    const { stored, left } = await imported('claude', claude)
    expect(pick(stored, 'text', 'external_id')).toEqual([
      { text: 'What grows in the shade?', external_id: 'conv-1/m-1' },
      { text: 'Ferns do.\n\nHostas too.', external_id: 'conv-1/m-2' },
      { text: 'Thanks!', external_id: 'conv-1/m-3' },
    ])
    expect(stored[0]).toMatchObject({
      occurred_at: '2026-02-01T10:00:00.123Z',
      metadata: { role: 'user', conversation: 'Garden plans', conversation_id: 'conv-1', source: 'claude' },
    })
    expect(left).toBe(
      'Not imported: summary of conversations (1), attachments (1), thinking of messages (1), tool_use of messages (1).',
    )
    const kept = await imported('claude', claudeMemories)
    expect(pick(kept.stored, 'text')).toEqual([
      { text: '**Work**' },
      { text: 'Ada is a gardener.' },
      { text: 'She works in Lisbon.' },
      { text: 'The greenhouse opens in June.' },
    ])
    expect(kept.stored[3]?.metadata).toEqual({ project_id: 'p-1', source: 'claude' })
    expect(kept.stored[3]?.external_id).toMatch(/^acc-1\/project_memories\/p-1\/[\w-]{16}$/)
  })

  it('of notes in Markdown: points and paragraphs under their headings', async () => {
    const { stored, left } = await imported('markdown', notes, { name: 'CLAUDE.md' })
    const section = (text: string, name: string) => ({
      text,
      metadata: { section: name, source: 'CLAUDE.md' },
    })
    expect(pick(stored, 'text', 'metadata')).toEqual([
      section('Use pnpm, not npm.', 'Project'),
      section('Two spaces.', 'Project > Style'),
      section('No default exports.\n- Except in configs.', 'Project > Style'),
      section('Tests first.', 'Project > Style'),
      section('```sh\nmake build\n```', 'Project > Commands'),
    ])
    expect(stored[2]?.occurred_at).toBe('2026-03-01T00:00:00.000Z')
    expect(new Set(stored.map(({ external_id }) => external_id)).size).toBe(5)
    expect(left).toBe('Not imported: front matter (1), comments (1).')
  })

  it('of a Letta agent: its blocks, protected, and what was said', async () => {
    const { stored, left } = await imported('letta', letta)
    expect(pick(stored, 'text', 'external_id', 'protected', 'metadata')).toEqual([
      {
        text: 'Name: Ada',
        external_id: 'helper/human',
        protected: true,
        metadata: { label: 'human', description: 'About the person', agent: 'helper', source: 'letta' },
      },
      {
        text: 'I moved to Lisbon.',
        external_id: expect.stringMatching(/^helper\/[\w-]{16}$/),
        protected: false,
        metadata: { role: 'user', agent: 'helper', source: 'letta' },
      },
      {
        text: 'How nice!',
        external_id: expect.stringMatching(/^helper\/[\w-]{16}$/),
        protected: false,
        metadata: { role: 'assistant', agent: 'helper', source: 'letta' },
      },
      {
        text: 'Anything else?',
        external_id: expect.stringMatching(/^helper\/[\w-]{16}$/),
        protected: false,
        metadata: { role: 'assistant', agent: 'helper', source: 'letta' },
      },
    ])
    expect(stored[1]?.occurred_at).toBe('2025-09-01T10:00:00.000Z')
    expect(left).toBe(
      'Not imported: files (1), tools (1), limit of blocks (1), empty blocks (1), system of agents (1), messages of the system (1), calls of tools (1), thoughts of messages (1), messages of the tool (1), events of messages (1).',
    )
  })

  it('of Zep: facts with when they held, nodes and episodes', async () => {
    const { stored, left } = await imported('zep', zep)
    expect(pick(stored, 'text', 'subject', 'external_id', 'occurred_at', 'valid_to')).toEqual([
      {
        text: 'Ada lives in Oslo.',
        subject: 'ada',
        external_id: 'e-1',
        occurred_at: '2024-01-01T00:00:00.000Z',
        valid_to: '2025-05-01T00:00:00.000Z',
      },
      {
        text: 'Ada: A gardener in Lisbon.',
        subject: 'ada',
        external_id: 'n-1',
        occurred_at: expect.any(String),
        valid_to: null,
      },
      {
        text: 'I moved to Lisbon.',
        subject: 'ada',
        external_id: 'ep-1',
        occurred_at: '2025-05-01T07:59:00.000Z',
        valid_to: null,
      },
    ])
    expect(stored[0]?.metadata).toEqual({
      kind: 'fact',
      relation: 'LIVES_IN',
      source_node_uuid: 'n-1',
      target_node_uuid: 'n-2',
      source: 'zep',
    })
    expect(left).toBe(
      'Not imported: fact_embedding of facts (1), episodes of facts (1), nodes without a summary (1).',
    )
  })

  it('of Hindsight: units that are valid', async () => {
    const { stored, left } = await imported('hindsight', hindsight)
    expect(pick(stored, 'text', 'external_id', 'occurred_at', 'metadata')).toEqual([
      {
        text: 'Ada signed the lease in Lyon.',
        external_id: 'h-1',
        occurred_at: '2026-01-01T09:00:00.000Z',
        metadata: {
          fact_type: 'experience',
          context: 'housing',
          entities: 'Ada, Lyon',
          tags: ['home'],
          document_id: 'doc-1',
          proof_count: 2,
          session_id: 's-1',
          source: 'hindsight',
        },
      },
    ])
    expect(left).toBe('Not imported: chunk_id of memories (1), invalidated memories (1).')
  })

  it('of a LangGraph store: items with a text', async () => {
    const { stored, left } = await imported('langgraph', langgraph, { subject: 'ada' })
    expect(pick(stored, 'text', 'external_id', 'occurred_at', 'metadata')).toEqual([
      {
        text: 'Ada takes oat milk.',
        external_id: 'memories/ada/k-1',
        occurred_at: '2025-11-01T10:00:00.000Z',
        metadata: {
          importance: 3,
          namespace: ['memories', 'ada'],
          key: 'k-1',
          updated_at: '2025-11-02T10:00:00.000000+00:00',
          source: 'langgraph',
        },
      },
      {
        text: 'Ada has a cat.',
        external_id: 'memories/ada/k-2',
        occurred_at: '2025-11-01T11:00:00.000Z',
        metadata: {
          kind: 'Memory',
          namespace: ['memories', 'ada'],
          key: 'k-2',
          updated_at: '2025-11-01T11:00:00+00:00',
          source: 'langgraph',
        },
      },
    ])
    expect(left).toBe('Not imported: items without a text (1).')
  })

  const map = ['text=content,subject=user', 'occurred_at=when', 'external_id=id', 'protected=pinned']

  it('of a table: columns by a mapping', async () => {
    const { stored, left } = await imported('csv', table, { map })
    expect(pick(stored, 'text', 'subject', 'external_id', 'occurred_at', 'protected', 'metadata')).toEqual([
      {
        text: 'Ada said "hi"; twice',
        subject: 'ada',
        external_id: '7',
        occurred_at: '2025-04-30T08:00:00.000Z',
        protected: true,
        metadata: {},
      },
    ])
    expect(left).toBe('Not imported: mood of items (1), items without a text in content (1).')
    const named = await imported('csv', table, { map: [...map, 'metadata.feeling=mood'] })
    expect(named.stored[0]?.metadata).toEqual({ feeling: 'good' })
    const all = await imported('csv', table, { map: [...map, 'metadata=*'] })
    expect(all.stored[0]?.metadata).toEqual({ mood: 'good' })
  })

  it('of a JSON list: fields by a mapping, within objects too', async () => {
    const list = [
      {
        note: { body: 'Ada has a cat.' },
        owner: { id: 17 },
        at: 1_746_000_000_000,
        tags: ['pets'],
        extra: 1,
      },
    ]
    const fields = ['text=note.body', 'subject=owner.id', 'occurred_at=at', 'metadata.tags=tags']
    const { stored, left } = await imported(
      'json',
      { notes: list, version: 2 },
      { map: fields, items: 'notes' },
    )
    expect(pick(stored, 'text', 'subject', 'occurred_at', 'metadata')).toEqual([
      {
        text: 'Ada has a cat.',
        subject: '17',
        occurred_at: '2025-04-30T08:00:00.000Z',
        metadata: { tags: ['pets'] },
      },
    ])
    expect(left).toBe('Not imported: extra of items (1), member version (1).')
    const plain = await imported('json', [{ text: 'Named as here.', metadata: { a: 1 } }])
    expect(pick(plain.stored, 'text', 'metadata')).toEqual([{ text: 'Named as here.', metadata: { a: 1 } }])
  })

  it('of a table or list: metadata as they are, or spread beside all others', async () => {
    const cells = 'text,metadata,mood\none,"{""a"": {""b"": [1]}, ""mood"": ""calm""}",happy\ntwo,plain,\n'
    const own = { a: { b: [1] }, mood: 'calm' }
    for (const map of [[], ['metadata=metadata']]) {
      const { stored, left } = await imported('csv', cells, { map })
      expect(stored.map(({ metadata }) => metadata)).toEqual([own, {}])
      expect(left).toBe('Not imported: mood of items (1), metadata of items (1).')
    }
    const all = await imported('csv', cells.replace(',mood', ',Mood'), { map: ['metadata=*'] })
    expect(all.stored.map(({ metadata }) => metadata)).toEqual([
      { ...own, Mood: 'happy' },
      { metadata: 'plain' },
    ])
    const taken = await imported('csv', cells, { map: ['metadata=*'] })
    expect(taken.stored[0]?.metadata).toEqual(own)
    expect(taken.left).toBe('Not imported: mood of items whose metadata have another (1).')
    const list = [{ text: 'one', metadata: { a: 1 }, tags: ['x'] }]
    const { stored } = await imported('json', list, { map: ['metadata=*'] })
    expect(stored[0]?.metadata).toEqual({ a: 1, tags: ['x'] })
  })

  it('of a JSON list: of an object that columns walk into, the rest', async () => {
    const point = {
      id: 7,
      payload: { text: 'Ada sings.', user: 'ada', lang: 'en', by: { name: 'x', age: 36 } },
    }
    const points = { result: { points: [point] } }
    const metadataBy = async (...map: string[]) => {
      const { stored, left } = await imported('json', points, {
        map: ['text=payload.text', ...map],
        items: 'result.points',
      })
      return [stored[0]?.metadata, left]
    }
    const rest = { lang: 'en', by: { age: 36 } }
    const walked = ['subject=payload.user', 'metadata.who=payload.by.name']
    expect(await metadataBy('metadata=payload', ...walked)).toEqual([
      { ...rest, who: 'x' },
      'Not imported: id of items (1).',
    ])
    expect(await metadataBy('metadata=*', ...walked)).toEqual([{ id: 7, payload: rest, who: 'x' }, undefined])
    expect(await metadataBy('metadata=payload.by', 'external_id=id')).toEqual([
      { name: 'x', age: 36 },
      'Not imported: payload.user of items (1), payload.lang of items (1).',
    ])
    const own = [{ text: 'one', metadata: { user: 'ada', 'a.b': 1, a: { b: 2 } } }]
    const { stored } = await imported('json', own, {
      map: ['subject=metadata.user', 'metadata.deep=metadata.a.b'],
    })
    expect(stored).toMatchObject([{ subject: 'ada', metadata: { 'a.b': 1, deep: 2 } }])
    expect(Object.keys(stored[0]?.metadata ?? {})).toHaveLength(2)
  })

  it.each([
    ['csv', 'text,notes\none,plain\ntwo,"[1]"\n', 'metadata=notes'],
    ['json', [{ text: 'one', notes: 'plain' }], 'metadata=notes'],
    ['json', [{ body: 'one', notes: ['plain'] }], 'text=notes'],
  ] as const)('of a %s: not by a mapping that nothing can be taken by', async (from, content, map) => {
    await expect(imported(from, content, { map: [map] })).rejects.toThrow(
      `nothing in notes can be ${map.split('=')[0]}: it holds no`,
    )
  })

  it('keeps a text that is longer than one may be, in parts', async () => {
    const paragraph = `${'Ada walks along the river. '.repeat(30).trimEnd()}\n\n`
    const memory = paragraph.repeat(16).trimEnd()
    const { stored } = await imported('mem0', [{ id: 'long', memory, user_id: 'ada' }])
    expect(pick(stored, 'external_id', 'metadata')).toEqual([
      { external_id: 'long', metadata: { source: 'mem0', part: 1, parts: 2 } },
      { external_id: 'long#2', metadata: { source: 'mem0', part: 2, parts: 2 } },
    ])
    expect(stored.map(({ text }) => text).join('\n\n')).toBe(memory)
    for (const { text } of stored) expect([...text].length).toBeLessThanOrEqual(limits.textChars)
  })

  it('cuts a text at lines as they are indented', async () => {
    const line = `    return "${'Ada walks. '.repeat(8)}"\n`
    const memory = line.repeat(150).trimEnd()
    const { stored } = await imported('mem0', [{ id: 'code', memory }])
    expect(stored.length).toBeGreaterThan(1)
    expect(stored.map(({ text }) => text).join('\n')).toBe(memory)
  })

  it('deletes the parts that a text needs no more, and nothing that is called like one', async () => {
    const client = await server.newClient()
    const long = `${'Ada walks along the river. '.repeat(37).trimEnd()}\n\n`.repeat(25)
    await client.post('/v1/memory/text/batch-store', {
      items: [
        { text: 'Another issue.', external_id: 'short#2' },
        { text: 'Of another file.', external_id: 'other#2', metadata: { part: 2, parts: 2 } },
      ],
    })
    const lines: string[] = []
    const run = (memories: object[]) =>
      importFile({
        file: write(memories, 'shorter.json'),
        client: new CommandClient({
          connection: { url: server.url, key: client.key, keySource: 'the test' },
        }),
        output: { write: (line) => lines.push(line) },
        conversion: conversion('mem0'),
        restart: true,
      })
    const [same, short] = [
      { id: 'same', memory: long },
      { id: 'short', memory: 'Ada sings.' },
    ]
    await run([{ id: 'L', memory: long }, same, short])
    expect(lines.filter((line) => line.startsWith('Deleted'))).toEqual([])
    await run([{ id: 'L', memory: 'Ada walks.' }, same, short])
    expect(lines).toContain('Deleted of texts that have become shorter: 2 parts more than they need.')
    const { body } = await client.get('/v1/memory/patterns')
    expect(pick(body.patterns as Stored[], 'external_id').map(({ external_id }) => external_id)).toEqual([
      ...['short#2', 'other#2', 'L', 'same', 'same#2', 'same#3', 'short'],
    ])
  })

  it('deletes the parts that a text needs no more, also of one that is not valid now', async () => {
    const client = await server.newClient()
    const connection = { url: server.url, key: client.key, keySource: 'the test' }
    const run = (text: string) =>
      importFile({
        file: write(
          [{ external_id: 'L', text, valid_from: '2019-01-01', valid_to: '2020-01-01' }],
          'past.json',
        ),
        client: new CommandClient({ connection }),
        output: { write: () => {} },
        conversion: conversion('json'),
        restart: true,
      })
    await run('Ada walks along the river. '.repeat(800))
    await run('Ada walks.')
    const { body } = await client.get('/v1/memory/patterns?include_superseded=true')
    expect(body.patterns).toMatchObject([{ external_id: 'L', text: 'Ada walks.' }])
  })

  it('deletes the parts that a text needs no more in a later run, where one was stopped before', async () => {
    const client = await server.newClient()
    const connection = { url: server.url, key: client.key, keySource: 'the test' }
    const said: string[] = []
    const run = (file: string, using = new CommandClient({ connection })) =>
      importFile({
        ...{ file, client: using, conversion: conversion('mem0') },
        output: { write: (line) => said.push(line) },
      })
    await run(write([{ id: 'L', memory: 'Ada walks along the river. '.repeat(800) }]))
    const file = write([{ id: 'L', memory: 'Ada walks.' }])
    const stopped = new CommandClient({ connection })
    stopped.searchPatterns = () => Promise.reject(new Error('Stopped'))
    await expect(run(file, stopped)).rejects.toThrow('Stopped')
    expect(await run(file)).toMatchObject({ stored: 1, replaced: 1, earlier: 1 })
    const { body } = await client.get('/v1/memory/patterns')
    expect(body.patterns).toMatchObject([{ external_id: 'L', text: 'Ada walks.' }])
    await run(file)
    expect(said.at(-1)).toContain('was imported already')
  })

  it('does not go on where an earlier release made other lines of a file', async () => {
    let isBroken = true
    await using bench = await newBench({
      fault: () => (isBroken ? { status: 400, body: { detail: 'Broken proxy' } } : undefined),
    })
    const file = write('text, subject\nAda sings., ada\n', 'begun.csv')
    const options = { ...bench, file, conversion: conversion('csv') }
    await expect(importFile(options)).rejects.toThrow('Broken proxy')
    const progress = `${file}.progress.json`
    const { converter: _, ...earlier } = JSON.parse(readFileSync(progress, 'utf8'))
    writeFileSync(progress, JSON.stringify(earlier))
    isBroken = false
    await expect(importFile(options)).rejects.toThrow('which made other lines of it')
    expect(await importFile({ ...options, restart: true })).toMatchObject({ stored: 1 })
  })

  it('says where parts that a text needs no more can’t be looked for', async () => {
    await using bench = await newBench({
      fault: ({ path }) =>
        path.endsWith('/search') ? { status: 403, body: { detail: 'Scope missing' } } : undefined,
    })
    const options = { ...bench, file: write([{ id: 'a', memory: 'Ada sings.' }]), restart: true }
    for (const replaced of [0, 1])
      expect(await importFile({ ...options, conversion: conversion('mem0') })).toMatchObject({ replaced })
    expect(bench.lines.at(-1)).toMatch(/^Where a text has become shorter, .+ may be left: .+Scope missing\.$/)
  })

  it('may have an object a line in place of a list', async () => {
    const lines = mem0.results.map((each) => JSON.stringify(each))
    const { stored } = await imported('mem0', lines.join('\r\n'))
    expect(pick(stored, 'external_id')).toEqual(
      mem0.results.slice(0, 2).map(({ id }) => ({ external_id: id })),
    )
    await expect(imported('mem0', lines.join('\n').slice(0, -9))).rejects.toThrow('it ends in the middle')
  })

  it('may come over standard input', async () => {
    const client = await server.newClient()
    const run = await importFile({
      file: '-',
      stdin: Readable.from([Buffer.from(JSON.stringify(claude))]),
      client: new CommandClient({ connection: { url: server.url, key: client.key, keySource: 'the test' } }),
      output: { write: () => {} },
      conversion: conversion('claude'),
    })
    expect(run).toEqual({ stored: 3, replaced: 0, invalid: 0, expired: 0, earlier: 0, replayed: 0 })
  })

  it('doubles nothing when it is imported again', async () => {
    const client = await server.newClient()
    const run = (restart: boolean) =>
      importFile({
        file: join(folder, 'again.json'),
        client: new CommandClient({
          connection: { url: server.url, key: client.key, keySource: 'the test' },
        }),
        output: { write: () => {} },
        conversion: conversion('claude'),
        restart,
      })
    write(claude, 'again.json')
    await run(false)
    await run(true)
    expect((await client.post('/v1/memory/patterns/count', {})).body).toEqual({ count: 3 })
  })
})

describe('what an export holds is kept or named, never altered', () => {
  it('where metadata have a field that the product has too', async () => {
    const { stored, left } = await imported('mem0', [
      { id: 'a', memory: 'Ada sings.', agent_id: 'guide', metadata: { source: 'slack', agent_id: 'other' } },
    ])
    expect(stored[0]?.metadata).toEqual({ source: 'slack', agent_id: 'other' })
    expect(left).toBe('Not imported: agent_id of memories whose metadata have another (1).')
    const items = [{ namespace: ['a'], key: 'k', value: { text: 'In C.', key: 'C major', source: 'score' } }]
    expect((await imported('langgraph', items)).stored[0]?.metadata).toEqual({
      ...{ key: 'C major', source: 'score', namespace: ['a'] },
    })
  })

  it('also metadata that say no or nothing, and names fields that say no', async () => {
    const own = { done: false, due: null, note: '', tags: [] }
    for (const [from, content] of [
      ['mem0', [{ memory: 'a', metadata: own, shared: false }]],
      ['json', [{ text: 'a', metadata: own, shared: false }]],
    ] as const) {
      const { stored, left } = await imported(from, content)
      expect(stored[0]?.metadata).toMatchObject(own)
      expect(left).toMatch(/^Not imported: shared of \w+ \(1\)\.$/)
    }
  })

  it('also headings with nothing under them', async () => {
    const { stored } = await imported(
      'markdown',
      '# Allergies: penicillin\n\n# Blood type A+\n\n## Since birth\n\n# Food\n\n- Tea\n\nAda sings\n---\n',
      { name: 'me.md' },
    )
    expect(stored.map(({ text, metadata }) => [metadata.section, text])).toEqual([
      [undefined, 'Allergies: penicillin'],
      ['Blood type A+', 'Since birth'],
      ['Food', 'Tea'],
      ['Food', 'Ada sings'],
    ])
    const memories = [{ conversations_memory: '## Tastes\n### Tea' }]
    expect(pick((await imported('claude', memories)).stored, 'text')).toEqual([{ text: 'Tea' }])
  })

  it('also the beginning of a time of days', async () => {
    const { stored } = await imported('markdown', '- 2026-03-01 - 2026-04-01: on holiday in Rome\n')
    expect(pick(stored, 'text')).toEqual([{ text: '2026-03-01 - 2026-04-01: on holiday in Rome' }])
  })

  it('also blocks of two agents of a file that have one name', async () => {
    const { stored } = await imported('letta', {
      agents: [
        { id: 'agent-0', name: 'helper', block_ids: ['block-0'] },
        { id: 'agent-1', name: 'helper', block_ids: ['block-1'] },
      ],
      blocks: [
        { id: 'block-0', label: 'human', value: 'Name: Ada' },
        { id: 'block-1', label: 'human', value: 'Name: Bob' },
      ],
    })
    expect(pick(stored, 'text', 'external_id')).toEqual([
      { text: 'Name: Ada', external_id: 'helper/agent-0/human' },
      { text: 'Name: Bob', external_id: 'helper/agent-1/human' },
    ])
  })

  it.each<[FormatName, object]>([
    ['mem0', { count: 250, next: 'https://a.example/?page=2', results: [{ memory: 'a' }] }],
    ['mem0', { count: 1, previous: 'https://a.example/?page=1', results: [{ memory: 'a' }] }],
    ['hindsight', { items: [{ text: 'a', fact_type: 'world' }], total: 250, limit: 1, offset: 0 }],
    ['zep', { messages: [{ content: 'a', role_type: 'user' }], total_count: 2, row_count: 1 }],
    ['zep', { items: [{ fact: 'a' }], next_cursor: 'x', total_size: 1 }],
  ])('also that a file of %s is one page of several: %j', async (from, content) => {
    expect((await imported(from, content)).left).toBe('Not imported: further pages.')
    await expect(imported(from, content, { strict: true })).rejects.toThrow('further pages')
  })

  it('also items that are null', async () => {
    for (const [from, content, left] of [
      ['mem0', [null, { memory: 'a' }], 'items that are null'],
      ['claude', [null, ...claude], 'items that are null'],
      ['chatgpt', [...chatgpt, { title: 'x', mapping: null }], 'conversations without messages'],
    ] as const)
      expect((await imported(from, content)).left).toContain(`${left} (1)`)
  })

  it('also numbers that no number can hold', async () => {
    for (const content of [
      '[{"memory": "a", "metadata": {"score": 1e999}}]',
      '[{"memory": "a", "metadata": {"deep": [{"score": -1e999}]}}]',
      '[{"memory": "a", "created_at": 1e999}]',
    ])
      await expect(imported('mem0', content)).rejects.toThrow("1 line can't be imported")
  })

  it('also times before 1970, and what is no time or name', async () => {
    const { stored } = await imported('mem0', [{ memory: 'Ada was born.', created_at: -86_400 }])
    expect(stored[0]?.occurred_at).toBe('1969-12-31T00:00:00.000Z')
    await expect(imported('mem0', [{ memory: 'a', created_at: 1.746e18 }])).rejects.toThrow(
      "can't be imported",
    )
    for (const odd of [
      { created_at: { $date: '2026-01-01' } },
      { user_id: { id: 'ada' } },
      { user_id: ['ada'] },
    ])
      await expect(imported('mem0', [{ memory: 'a', ...odd }])).rejects.toThrow(/is no (time|name)/)
    await expect(imported('json', [{ text: 'a', subject: true }])).rejects.toThrow('true is no name')
  })

  it('says what a column is called without what a terminal would obey', async () => {
    const { left } = await imported('csv', 'text,"a\nStored\u001b[2J\u009b\u202e"\none,b\n')
    expect(left).toBe('Not imported: a\ufffdStored\ufffd[2J\ufffd\ufffd of items (1).')
    const file = write('{"text": "one", "a\\u001b[2J\\u202e": 1}\n')
    const run = tryImport({ file, output: { write: () => {} }, strict: true })
    await expect(run).rejects.toThrow(
      "Line 1: a\ufffd[2J\ufffd would not be imported.\n1 line can't be imported",
    )
  })

  it('also what an object has beside the field of a mapping, and a second column of a name', async () => {
    const nested = [{ body: { text: 'a', lang: 'en', by: { name: 'ada', age: 36 } } }]
    const map = ['text=body.text', 'subject=body.by.name']
    expect((await imported('json', nested, { map })).left).toBe(
      'Not imported: body.lang of items (1), body.by.age of items (1).',
    )
    const columns = await imported('csv', 'text,note,note\na,b,c\n', { map: ['metadata=*'] })
    expect(columns.stored[0]?.metadata).toEqual({ note: 'b', 'note (2)': 'c' })
  })

  it('not under a column that is nowhere: whose it is would be lost', async () => {
    for (const [from, content] of [
      ['csv', 'text,owner\na,ada\n'],
      ['json', [{ text: 'a', owner: 'ada' }]],
    ] as const)
      await expect(imported(from, content, { map: ['subject=ownr'] })).rejects.toThrow(
        'nothing in it is called ownr',
      )
  })

  it('not of a table in another encoding', async () => {
    const file = write('', 'latin1.csv')
    writeFileSync(file, Buffer.from('text,subject\nAda lives in Zürich,ada\n', 'latin1'))
    const run = tryImport({ file, output: { write: () => {} }, conversion: conversion('csv') })
    await expect(run).rejects.toThrow('it is not UTF-8')
    // Nor is it named as what it looks like otherwise, which would not read it either.
    const other = tryImport({ file, output: { write: () => {} }, conversion: conversion('markdown') })
    await expect(other).rejects.toThrow(/it is not UTF-8\.$/)
  })

  it('also whether a task was done, and days that there are not', async () => {
    const { stored } = await imported(
      'markdown',
      '# \n\n- [x] Buy milk\n- [ ] Buy milk\n- 2026-02-30: a day that is none\n',
      { name: 'todo.md' },
    )
    expect(pick(stored, 'text', 'metadata')).toEqual([
      { text: '[x] Buy milk', metadata: { source: 'todo.md' } },
      { text: '[ ] Buy milk', metadata: { source: 'todo.md' } },
      { text: '2026-02-30: a day that is none', metadata: { source: 'todo.md' } },
    ])
  })

  it('also of two people whose notes, or agents, are called the same', async () => {
    const client = await server.newClient()
    for (const subject of ['ada', 'ben']) {
      for (const [from, content, name] of [
        ['markdown', '- Prefers dark mode\n', 'CLAUDE.md'],
        ['letta', letta, 'helper.af'],
      ] as const)
        await importFile({
          file: write(content, name),
          client: new CommandClient({
            connection: { url: server.url, key: client.key, keySource: 'the test' },
          }),
          output: { write: () => {} },
          conversion: conversion(from, { subject }),
          restart: true,
        })
      const { body } = await client.post('/v1/memory/patterns/count', { subject: 'ada' })
      expect(body, subject).toEqual({ count: 5 })
    }
  })

  it('not under an own id that is that of another end user: it is said at once', async () => {
    const client = await server.newClient()
    const run = (subject: string, text: string) =>
      importFile({
        file: write([{ id: '17', text, subject }], 'ids.json'),
        client: new CommandClient({
          connection: { url: server.url, key: client.key, keySource: 'the test' },
        }),
        output: { write: () => {} },
        conversion: conversion('json', { map: ['external_id=id'] }),
        restart: true,
      })
    await run('ada', 'Ada sings.')
    await expect(run('ben', 'Ben swims.')).rejects.toThrow('external_id: "17" is the id of another end user')
    const { body } = await client.get('/v1/memory/patterns')
    expect(pick(body.patterns as Stored[], 'text', 'subject')).toEqual([
      { text: 'Ada sings.', subject: 'ada' },
    ])
  })

  it('also of two agents of one name: ids of a file are of the file alone', async () => {
    const client = await server.newClient()
    const said = (text: string) => ({
      agents: [
        {
          name: 'helper',
          messages: [{ id: 'message-1', role: 'user', content: text, created_at: '2026-01-01' }],
        },
      ],
    })
    for (const text of ['I moved to Lisbon.', 'I have a cat.', 'I have a cat.'])
      await importFile({
        file: write(said(text), 'agent.af'),
        client: new CommandClient({
          connection: { url: server.url, key: client.key, keySource: 'the test' },
        }),
        output: { write: () => {} },
        conversion: conversion('letta'),
        restart: true,
      })
    const { body } = await client.get('/v1/memory/patterns')
    expect(pick(body.patterns as Stored[], 'text')).toEqual([
      { text: 'I moved to Lisbon.' },
      { text: 'I have a cat.' },
    ])
  })

  it('also what a person said to an agent that is no text', async () => {
    const content = JSON.stringify({ type: 'user_message', message: { question: 'Why?' } })
    const messages = [{ id: 'message-0', role: 'user', content }]
    expect((await imported('letta', { agents: [{ name: 'helper', messages }] })).left).toBe(
      'Not imported: messages without a text (1).',
    )
  })

  it('also of items whose namespaces only read the same', async () => {
    const { stored } = await imported('langgraph', [
      { namespace: ['a/b'], key: 'c', value: { text: 'one' } },
      { namespace: ['a', 'b'], key: 'c', value: { text: 'two' } },
      { namespace: 'a', key: 'c', value: { text: 'three' } },
      { key: 'c', value: { text: 'four' } },
    ])
    expect(pick(stored, 'text', 'external_id')).toEqual([
      { text: 'one', external_id: 'a%2Fb/c' },
      { text: 'two', external_id: 'a/b/c' },
      { text: 'three', external_id: 'a/c' },
      { text: 'four', external_id: 'c' },
    ])
    expect(stored[2]?.metadata.namespace).toEqual(['a'])
  })

  it('not of facts of a graph that were over when they began, or were recorded, which keep no other out', async () => {
    const { stored, left } = await imported('zep', {
      edges: [
        {
          uuid: 'e-1',
          fact: 'Ada sang once.',
          valid_at: '2025-01-01T00:00:00Z',
          invalid_at: '2025-01-01T00:00:00Z',
        },
        {
          uuid: 'e-2',
          fact: 'Ada lived in Oslo.',
          invalid_at: '2024-01-01T00:00:00Z',
          created_at: '2025-01-01T00:00:00Z',
        },
        { uuid: 'e-3', fact: 'Ada lives in Lisbon.', created_at: '2025-01-01T00:00:00Z' },
      ],
    })
    expect(pick(stored, 'text')).toEqual([{ text: 'Ada lives in Lisbon.' }])
    expect(left).toBe(
      'Not imported: facts that were over when they began (1), facts that were over when they were recorded (1).',
    )
  })
})

describe('an export as products give it out', () => {
  it('of Zep may be a thread, which says whose it is behind its messages', async () => {
    const messages = [
      {
        content: 'I moved to Lisbon.',
        created_at: '2026-01-01T00:00:00Z',
        name: 'Ada',
        role: 'user',
        uuid: 'm-1',
        processed: true,
      },
      {
        content: 'How nice!',
        created_at: '2026-01-01T00:00:01Z',
        role_type: 'assistant',
        role: 'Byron',
        uuid: 'm-2',
      },
    ]
    const { stored, left } = await imported('zep', { messages, row_count: 2, total_count: 2, user_id: 'ada' })
    expect(pick(stored, 'text', 'subject', 'metadata')).toEqual([
      {
        text: 'I moved to Lisbon.',
        subject: 'ada',
        metadata: { kind: 'episode', role: 'user', name: 'Ada', source: 'zep' },
      },
      {
        text: 'How nice!',
        subject: 'ada',
        metadata: { kind: 'episode', role: 'assistant', name: 'Byron', source: 'zep' },
      },
    ])
    expect(left).toBeUndefined()
  })

  it('of Zep may be a page of a thread or of facts, with a user that has only the id of Zep', async () => {
    const message = {
      ...{ uuid: 'm-1', content: 'I moved to Lisbon.', role: 'user', thread_uuid: 't-1' },
      ...{ created_at: '2026-02-01T00:00:00Z', reference_time: '2026-01-01T00:00:00Z' },
    }
    const page = { items: [message], next_cursor: null, total_size: 1 }
    const { stored, left } = await imported('zep', { ...page, user_uuid: 'u-1' })
    expect(pick(stored, 'text', 'subject', 'occurred_at', 'metadata')).toEqual([
      {
        text: 'I moved to Lisbon.',
        subject: 'u-1',
        occurred_at: '2026-01-01T00:00:00.000Z',
        metadata: { kind: 'episode', role: 'user', thread_uuid: 't-1', source: 'zep' },
      },
    ])
    expect(left).toBeUndefined()
  })

  it('of Hindsight may call the type of a fact its type alone', async () => {
    const { stored } = await imported('hindsight', {
      items: [{ text: 'Ada sings.', type: 'world' }],
      total: 1,
    })
    expect(stored[0]?.metadata).toEqual({ fact_type: 'world', source: 'hindsight' })
  })

  it.each<[FormatName, unknown]>([
    ['mem0', { results: [] }],
    ['mem0', { count: 0, next: null, previous: null, results: [] }],
    ['chatgpt', []],
    ['claude', []],
    ['hindsight', { items: [], total: 0 }],
    ['langgraph', { items: [] }],
    ['zep', { edges: [], nodes: [] }],
  ])('of %s may be empty: %j', async (from, content) => {
    expect((await imported(from, content)).stored).toEqual([])
  })

  it('may have one object in one line', async () => {
    const one = await imported('mem0', '{"id": "a", "memory": "Ada sings.", "user_id": "ada"}\n')
    expect(pick(one.stored, 'text', 'subject')).toEqual([{ text: 'Ada sings.', subject: 'ada' }])
    expect((await imported('json', '{"text": "Ada sings.", "tags": ["x"]}')).stored).toHaveLength(1)
  })

  it.each<[string, FormatName, string]>([
    ['objects', 'mem0', '\n{"id": "a", "memory": "Ada sings."}\n\n{"id": "b", "memory": "Ben sings."}\n'],
    ['objects, as of Windows', 'json', '\uFEFF \r\n\r\n{"text": "Ada sings."}\r\n{"text": "Ben sings."}\r\n'],
    ['a table', 'csv', '\r\n\r\ntext;note\r\nAda sings.;a\r\nBen sings.;b, c\r\n'],
  ])('may have empty lines before its first of %s', async (_, from, content) => {
    const { stored } = await imported(from, content)
    expect(pick(stored, 'text')).toEqual([{ text: 'Ada sings.' }, { text: 'Ben sings.' }])
  })

  it('may have long lines of objects', async () => {
    const memory = 'Ada walks along the river. '.repeat(4_000)
    const lines = [
      { id: 'a', memory },
      { id: 'b', memory: 'Ada sings.' },
    ].map((each) => JSON.stringify(each))
    const run = await tryImport({
      file: write(lines.join('\n')),
      output: { write: () => {} },
      conversion: conversion('mem0'),
    })
    expect(run.texts).toBe(12)
  })

  it('of notes may begin with a date in brackets, one a line, or a link', async () => {
    const dated = await imported('markdown', '[2026-03-01] - Ada likes tea.\n[2026-03-02] - Ben sings.\n')
    expect(pick(dated.stored, 'text', 'occurred_at')).toEqual([
      { text: 'Ada likes tea.', occurred_at: '2026-03-01T00:00:00.000Z' },
      { text: 'Ben sings.', occurred_at: '2026-03-02T00:00:00.000Z' },
    ])
    expect((await imported('markdown', '[Plan](https://a.example) is ours.\n')).stored).toHaveLength(1)
  })

  it('may be a table whose names have separators in quotes, or whose first line names its own', async () => {
    const quoted = await imported('csv', '"a;b;c;d","text"\n1,Ada sings.\n')
    expect(pick(quoted.stored, 'text')).toEqual([{ text: 'Ada sings.' }])
    const ofExcel = await imported('csv', '\uFEFFsep=;\r\ntext;"a,b,c"\r\nBen sings.;1\r\n')
    expect(pick(ofExcel.stored, 'text')).toEqual([{ text: 'Ben sings.' }])
    const ofDatabase = await imported('csv', 'text,protected\na,t\nb,f\n')
    expect(pick(ofDatabase.stored, 'protected')).toEqual([{ protected: true }, { protected: false }])
  })

  it('may be a table with spaces around its names', async () => {
    const spaced = 'text, subject ,\tnote, note, id, at\na, bob ,c, d, 7, 2026-05-01\n'
    const map = ['metadata=*', 'external_id=id', 'occurred_at=at']
    const { stored, left } = await imported('csv', spaced, { map })
    expect(pick(stored, 'text', 'subject', 'external_id', 'occurred_at', 'metadata')).toEqual([
      {
        ...{ text: 'a', subject: 'bob', external_id: '7', occurred_at: '2026-05-01T00:00:00.000Z' },
        metadata: { note: 'c', 'note (2)': ' d' },
      },
    ])
    expect(left).toBeUndefined()
  })

  it('may be a list that lies deeper in an object', async () => {
    const points = { result: { points: [{ text: 'Ada sings.' }], next_page: 7 }, time: 0.1 }
    const { stored, left } = await imported('json', points, { items: 'result.points' })
    expect(pick(stored, 'text')).toEqual([{ text: 'Ada sings.' }])
    expect(left).toBe('Not imported: member result.next_page (1), member time (1).')
    await expect(imported('json', points, { items: 'result.none' })).rejects.toThrow(
      'it has no list result.none; there is result.points',
    )
  })

  it('may be a table of one column', async () => {
    const { stored } = await imported('csv', '\uFEFFtext\r\nAda has a cat\r\nBen has a dog\r\n')
    expect(pick(stored, 'text')).toEqual([{ text: 'Ada has a cat' }, { text: 'Ben has a dog' }])
  })
})

/** Deeper than JSON can be written. */
const deep = '['.repeat(100_000) + ']'.repeat(100_000)

describe('what can not be imported', () => {
  const samples: Partial<Record<FormatName, unknown>> = {
    ...{ mem0, chatgpt, claude, letta, zep, hindsight, langgraph },
    markdown: notes,
    csv: table,
    json: [{ title: 'anything' }],
  }
  const cases = formatNames.flatMap((from) =>
    formatNames
      .filter((other) => other !== from && !['csv', 'json', 'markdown'].includes(other))
      .filter((other) => !['json', 'csv'].includes(from) || other === 'mem0')
      .map((other) => [from, other] as const),
  )

  it('tells each format by how a file of it begins', () => {
    for (const name of formatNames) {
      const sample = samples[name]
      const start = typeof sample === 'string' ? sample : JSON.stringify(sample)
      expect(looksLike(start), name).toBe(name)
    }
  })

  it.each([
    ['as Graphiti writes it', { name: 'Ada', labels: ['Person'], summary: 'A gardener.' }],
    ['in another order', { summary: 'A gardener.', name: 'Ada', labels: [] }],
    [
      'behind a long embedding',
      { labels: [], name_embedding: Array(9_000).fill(0.1234567), summary: 'A gardener.' },
    ],
  ])('tells a node of a graph alone, %s', async (_, node) => {
    const content = JSON.stringify([node])
    expect(looksLike(content.slice(0, 65_536))).toBe('zep')
    const { stored } = await imported('zep', content)
    expect(stored[0]?.text).toMatch(/A gardener\.$/)
  })

  it.each(cases.filter(([from]) => from !== 'json'))('--from %s names a file of %s', async (from, other) => {
    await expect(imported(from, samples[other])).rejects.toThrow(
      `is not what --from ${from} reads (${formats[from].title}). It looks like ${formats[other].title}: --from ${other} reads that.`,
    )
  })

  it('names it where lines were expected', async () => {
    const client = await server.newClient()
    const run = importFile({
      file: write(chatgpt),
      client: new CommandClient({ connection: { url: server.url, key: client.key, keySource: 'the test' } }),
      output: { write: () => {} },
    })
    await expect(run).rejects.toThrow('It looks like ChatGPT: --from chatgpt reads that.')
  })

  const whole = (value: unknown) => JSON.stringify(value)
  it.each<[string, FormatName, string, string]>([
    [
      'a file that was cut off',
      'chatgpt',
      whole(chatgpt).slice(0, -40),
      'it ends in the middle, so it is not whole.',
    ],
    [
      'a file that was cut off',
      'mem0',
      whole(mem0).slice(0, -3),
      'it ends in the middle, so it is not whole.',
    ],
    ['what is no JSON', 'mem0', '[{"memory": "a"}, oops]', 'it is no JSON'],
    ['two documents', 'mem0', '[{"memory": "a"}] [{"memory": "b"}]', 'it is no JSON'],
    ['an item that is none', 'mem0', '[{"memory": "a"}, 7]', 'Memory 2 is no object'],
    [
      'a conversation that is none',
      'chatgpt',
      '[{"mapping": {}}, {"title": "x"}]',
      'conversation 2 has no mapping',
    ],
    ['a row that is too short', 'csv', 'text,subject\none,ada\ntwo\n', 'Invalid Record Length'],
    [
      'a list that is not named',
      'json',
      '{"notes": []}',
      'name the member that holds the list with --items, such as notes',
    ],
    [
      'a list that is not named, behind what is none',
      'json',
      '{"version": {"items": []}, "notes": [{"text": "a"}]}',
      'name the member that holds the list with --items, such as notes',
    ],
    [
      'a list that is no member of the root',
      'json',
      '{"data": {"size": 1, "items": [{"text": "a"}]}}',
      'name the member that holds the list with --items, such as data.items',
    ],
    ['an object without a list', 'json', '{"data": {"size": 1}}', 'no member of it is a list'],
    [
      'a table of columns',
      'json',
      whole({ ids: ['1', '2'], documents: ['a', 'b'], metadatas: [{}, null], included: ['documents'] }),
      'it is a table of columns (ids, documents, metadatas): write an object for each row of it',
    ],
  ])('stores nothing of %s: %s', async (_, from, content, reason) => {
    const client = await server.newClient()
    const run = importFile({
      file: write(content),
      client: new CommandClient({ connection: { url: server.url, key: client.key, keySource: 'the test' } }),
      output: { write: () => {} },
      conversion: conversion(from),
    })
    await expect(run).rejects.toThrow(reason)
    expect((await client.post('/v1/memory/patterns/count', {})).body).toEqual({ count: 0 })
  })

  it('reads a file of plain paragraphs as Markdown', async () => {
    const { stored } = await imported('markdown', 'Ada has a cat.\n\nIt is called Byron.\n')
    expect(pick(stored, 'text')).toEqual([{ text: 'Ada has a cat.' }, { text: 'It is called Byron.' }])
  })

  it('names what the service would refuse by its place in the file', async () => {
    const bad = [{ memory: 'a', created_at: 'yesterday' }, { memory: 'b' }]
    const file = write(bad)
    const run = tryImport({ file, output: { write: () => {} }, conversion: conversion('mem0') })
    await expect(run).rejects.toThrow(/^Memory 1: occurred_at: .+\n1 line can't be imported/)
  })

  it.each<[FormatName, string, string]>([
    ['mem0', '[{"memory": "a", "id": 9007199254740993}, {"memory": "b"}]', 'Memory 1'],
    ['json', '[{"text": "b"}, {"text": "a", "subject": 9007199254740993}]', 'Item 2'],
    ['hindsight', '[{"text": "b", "fact_type": "x"}, {"text": "a", "id": 9007199254740993}]', 'Memory 2'],
    [
      'langgraph',
      '[{"namespace": ["n"], "key": 9007199254740993, "value": {"text": "a"}},{"namespace": ["n"], "value": {"text": "b"}}]',
      'Item 1',
    ],
    ['zep', '[{"fact": "a", "uuid": 9007199254740993}, {"fact": "b"}]', 'Item 1'],
  ])(
    'names in a file of %s the item whose id was rounded, and leaves that one out',
    async (from, content, place) => {
      await using bench = await newBench()
      const file = write(content)
      const options = { ...bench, file, conversion: conversion(from) }
      const reason = 'a number that names it has more digits than readers of JSON keep: write it as a string'
      await expect(importFile(options)).rejects.toThrow(
        `${place}: ${reason}.\n1 line can't be imported, so nothing was stored`,
      )
      expect(await importFile({ ...options, skipInvalid: true })).toMatchObject({ stored: 1, invalid: 1 })
      expect(bench.service.patterns.map(({ text }) => text)).toEqual(['b'])
    },
  )

  it.each<[FormatName, unknown, string]>([
    ['json', [{ text: 'b' }, { text: 'a', subject: ['x'] }], 'Item 2: subject: ["x"] is no name'],
    [
      'mem0',
      [{ memory: 'a', created_at: { $date: '2026' } }, { memory: 'b' }],
      'Memory 1: created_at: {"$date":"2026"} is no time',
    ],
    ...[2024, 20240531, 202405310930, 20240531093000].map((time): [FormatName, unknown, string] => [
      'json',
      [{ text: 'b' }, { text: 'a', occurred_at: time }],
      `Item 2: occurred_at: ${time} is no time: a number counts seconds or milliseconds since 1970`,
    ]),
    [
      'csv',
      'text,occurred_at\nb,1746000000\na,202405310930\n',
      'Line 3: occurred_at: 202405310930 is no time: a number counts seconds or milliseconds since 1970',
    ],
    ['csv', 'text,protected\nb,\na,maybe\n', 'Line 3: protected: "maybe" is neither true nor false'],
    [
      'chatgpt',
      [
        {
          mapping: {
            ...node('u1', null, ['u2'], said('user', 'b', 1_746_000_000)),
            ...node('u2', 'u1', [], said('user', 'a', 2, { create_time: {} })),
          },
          current_node: 'u2',
        },
      ],
      'Message 2 of conversation 1: create_time: {} is no time',
    ],
    [
      'letta',
      {
        agents: [{ name: 'x', messages: [{ role: 'user', content: 'a', created_at: {} }] }],
        blocks: [{ value: 'b' }],
      },
      'Message 1 of x: created_at: {} is no time',
    ],
    [
      'langgraph',
      [
        { namespace: ['x'], key: 1, value: { text: 'b' } },
        { namespace: {}, key: 1, value: { text: 'a' } },
      ],
      'Item 2: namespace: {} is no name',
    ],
    ['mem0', `[{"memory":"a","metadata":{"x":${deep}}},{"memory":"b"}]`, 'Memory 1: it is nested too deep'],
    ['json', `[{"text":"a","metadata":{"x":${deep}}},{"text":"b"}]`, 'Item 1: it is nested too deep'],
    ['json', `[{"text":"a","subject":${deep}},{"text":"b"}]`, 'Item 1: it is nested too deep'],
  ])(
    'names in a file of %s the part with a wrong value, and leaves that one out',
    async (from, content, reason) => {
      await using bench = await newBench()
      const options = { ...bench, file: write(content), conversion: conversion(from) }
      await expect(importFile(options)).rejects.toThrow(`${reason}.\n1 line can't be imported`)
      expect(await importFile({ ...options, skipInvalid: true })).toMatchObject({ stored: 1, invalid: 1 })
      expect(bench.service.patterns.map(({ text }) => text)).toEqual(['b'])
    },
  )

  it('is a table of which no item has a text; what is corrected is read then', async () => {
    await using bench = await newBench()
    const file = write('id,body\n1,Ada sings.\n')
    const run = (map: string[]) => importFile({ ...bench, file, conversion: conversion('csv', { map }) })
    await expect(run([])).rejects.toThrow(
      'no item has a text in text: name what holds it with --map text=NAME; there are id, body.',
    )
    expect(await run(['text=body'])).toMatchObject({ stored: 1 })
  })

  it('keeps no progress of an import that stored nothing', async () => {
    await using bench = await newBench()
    const file = write('text,body\n')
    const run = (map: string[]) => importFile({ ...bench, file, conversion: conversion('csv', { map }) })
    expect(await run([])).toMatchObject({ stored: 0 })
    expect(await run(['text=body'])).toMatchObject({ stored: 0 })
  })

  it.each([
    ['gzip', [0x1f, 0x8b, 8, 0], 'it is compressed by gzip'],
    ['zip', [0x50, 0x4b, 3, 4], 'it is an archive, or a workbook'],
    ['UTF-16', [0xff, 0xfe, 0x61, 0], 'it is not UTF-8 but UTF-16'],
  ])('is told by its first bytes where it is %s', async (_, bytes, reason) => {
    const file = write('')
    writeFileSync(file, Buffer.from([...bytes, 10]))
    for (const given of [undefined, conversion('csv'), conversion('markdown'), conversion('mem0')])
      await expect(tryImport({ file, output: { write: () => {} }, conversion: given })).rejects.toThrow(
        reason,
      )
  })

  it('is refused with a sentence, whatever it holds', async () => {
    // What a part of a file may be in place of what it should be.
    const odd = [
      null,
      7,
      'x',
      '',
      true,
      [],
      {},
      [null],
      [[]],
      ['x'],
      [{}],
      { a: { b: 1 } },
      '{"type":7}',
      -1,
      1e300,
    ]
    const shaken = (value: unknown, pick: (n: number) => number): unknown => {
      if (pick(12) === 0) return odd[pick(odd.length)]
      if (Array.isArray(value)) return value.map((each) => shaken(each, pick))
      if (typeof value !== 'object' || value === null) return value
      return Object.fromEntries(
        Object.entries(value).flatMap(([name, each]) => (pick(20) === 0 ? [] : [[name, shaken(each, pick)]])),
      )
    }
    const products = ['mem0', 'chatgpt', 'claude', 'letta', 'hindsight', 'langgraph', 'zep'] as const
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...products), fc.infiniteStream(fc.nat()), async (from, stream) => {
        const pick = (n: number) => (stream.next().value as number) % n
        const run = tryImport({
          file: write(shaken(samples[from], pick), 'shaken.json'),
          output: { write: () => {} },
          conversion: conversion(from),
        })
        await run.catch((error: unknown) => expect(error).toBeInstanceOf(Failure))
      }),
      { numRuns: 1_500 },
    )
  })

  it('is refused with --strict', async () => {
    await expect(imported('mem0', mem0, { strict: true })).rejects.toThrow('With --strict')
    expect((await imported('mem0', [{ id: 'a', memory: 'b' }], { strict: true })).stored).toHaveLength(1)
  })
})

describe('a dry run', () => {
  it('says where there is no such file', async () => {
    const run = tryImport({
      file: join(folder, 'none'),
      output: { write: () => {} },
      conversion: conversion('mem0'),
    })
    await expect(run).rejects.toThrow("none can't be read (ENOENT).")
  })

  it('says that a folder is no file', async () => {
    for (const given of [undefined, conversion('markdown')])
      await expect(
        tryImport({ file: folder, output: { write: () => {} }, conversion: given }),
      ).rejects.toThrow('is no regular file')
  })

  it('shows what would be stored, names the rest, and asks no service', async () => {
    const lines: string[] = []
    const run = await tryImport({
      file: write(mem0),
      output: { write: (line) => lines.push(line) },
      conversion: conversion('mem0'),
    })
    expect(run).toEqual({ texts: 2, vectors: 0, expired: 0, invalid: 0, repeatedIds: 0 })
    expect(lines[1]).toMatch(/^\{"text":"Likes to hike on weekends",/)
    expect(JSON.parse(lines[2] as string)).toMatchObject({ text: 'Is vegetarian', subject: 'blake' })
    expect(lines).toContain('Would store 2 texts; nothing was stored.')
    expect(lines.at(-1)).toMatch(/^Not imported: hash of memories/)
  })
})

it('importing.md says of every format what is taken of it and what was looked at', () => {
  const page = readFileSync(new URL('../../docs/guides/importing.md', import.meta.url), 'utf8')
  for (const name of formatNames) {
    const { takes, seen } = formats[name]
    expect(page).toContain(`| \`${name}\` | ${takes} | ${seen} |`)
  }
})

describe('the options', () => {
  it('have to be the same where an import goes on', async () => {
    await using bench = await newBench({ patternsMax: 60 })
    const facts = Array.from({ length: 100 }, (_, n) => ({ note: `Fact number ${n}`, title: `Title ${n}` }))
    const file = write(facts)
    const run = (text: string) =>
      importFile({ ...bench, file, conversion: conversion('json', { map: [`text=${text}`] }) })
    await expect(run('note')).rejects.toThrow('The memory is full')
    await expect(run('title')).rejects.toThrow('was begun (60 lines stored')
    bench.service.options = {}
    expect(await run('note')).toMatchObject({ stored: 100, replayed: 0 })
    expect(bench.service.patterns.map(({ text }) => text)).toEqual(facts.map(({ note }) => note))
  })

  it('name columns with commas, of one option or of several', () => {
    const columnsOf = (...map: string[]) => conversion('csv', { map }).mapping.columns
    expect(columnsOf('text=Note, long,subject=owner', 'metadata.a=b,c')).toEqual({
      text: 'Note, long',
      subject: 'owner',
      'metadata.a': 'b,c',
    })
    expect(columnsOf('text = body , external_id = id,metadata=*,metadata.mood=Mood, today')).toEqual({
      text: 'body',
      external_id: 'id',
      metadata: '*',
      'metadata.mood': 'Mood, today',
    })
  })

  it('import a table by such a name', async () => {
    const { stored } = await imported('csv', '"Note, long",owner\nAda has a cat.,ada\n', {
      map: ['text=Note, long,subject=owner'],
    })
    expect(pick(stored, 'text', 'subject')).toEqual([{ text: 'Ada has a cat.', subject: 'ada' }])
  })

  it.each<[object, string]>([
    [{ from: 'word' }, '--from is one of mem0,'],
    [{ map: ['text=a'] }, 'go together with --from'],
    [{ from: 'mem0', map: ['text=a'] }, '--map and --items are for csv and json'],
    [{ from: 'csv', map: ['text'] }, '--map takes FIELD=COLUMN'],
    [{ from: 'csv', map: ['colour=a'] }, '--map takes FIELD=COLUMN'],
  ])('refuse %j', (given, reason) => {
    expect(() => conversionOf({ map: [], ...given })).toThrow(reason)
  })
})
