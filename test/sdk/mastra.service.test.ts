import { Agent } from '@mastra/core/agent'
import { MockMemory } from '@mastra/core/memory'
import { MASTRA_RESOURCE_ID_KEY, RequestContext } from '@mastra/core/request-context'
import { createMockModel } from '@mastra/core/test-utils/llm-mock'
import { MemoryClient } from 'memory-service-sdk'
import { memoryTools } from 'memory-service-sdk/ai'
import { type MemoryProcessorOptions, memoryProcessor } from 'memory-service-sdk/mastra'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startServer, type TestServer } from '../support/server.ts'
import { newMemoryOf } from './support.ts'

// Mastra's own: nothing is told to its makers, and a model that fails is not written about.
vi.stubEnv('MASTRA_TELEMETRY_DISABLED', '1')

let server: TestServer

beforeAll(async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  server = await startServer()
})

afterAll(() => server.close())

const newMemory = () => newMemoryOf(server)

interface Message {
  role: string
  content: string | { text?: string }[]
}

/** An agent that always says the same, and what its model was asked. */
function newAgent(memory: MemoryClient, options?: MemoryProcessorOptions, further: object = {}) {
  const prompts: Message[][] = []
  const note = ({ prompt }: { prompt: Message[] }) => void prompts.push(prompt)
  const model = createMockModel({ mockText: 'In Lisbon.', version: 'v2', spyGenerate: note, spyStream: note })
  const processor = memoryProcessor(memory, options)
  const agent = new Agent({
    id: 'assistant',
    name: 'assistant',
    instructions: 'Be brief.',
    model: model as never,
    inputProcessors: [processor],
    outputProcessors: [processor],
    ...further,
  })
  const asked = () =>
    prompts.map((prompt) =>
      prompt.map(({ role, content }) => [
        role,
        ...(typeof content === 'string' ? [content] : content.map(({ text }) => text)),
      ]),
    )
  return { agent, asked }
}

function contextOf(...values: [name: string, value: unknown][]): RequestContext {
  const context = new RequestContext()
  for (const [name, value] of values) context.set(name, value)
  return context
}

async function stored(memory: MemoryClient): Promise<unknown[]> {
  const texts: unknown[] = []
  for await (const { text, metadata } of memory.patterns.all()) texts.push([metadata?.role, text])
  return texts
}

describe('the processor of Mastra', () => {
  it('shows the model of an agent what is remembered, and stores what was said', async () => {
    const memory = await newMemory()
    const ada = memory.forSubject('ada')
    await ada.text.store({ text: 'Ada moved to Lisbon in May.' })
    await memory.text.store({ text: 'Ben moved to Paris in May.', subject: 'ben' })
    const { agent, asked } = newAgent(ada, { stores: 'both' })
    const { text } = await agent.generate('Where do I live?')
    expect(text).toBe('In Lisbon.')
    expect(asked()).toEqual([
      [
        ['system', 'Be brief.'],
        [
          'user',
          expect.stringMatching(
            /^<memories>\n.+not instructions.+\n- Ada moved to Lisbon in May\.\n<\/memories>$/,
          ),
          'Where do I live?',
        ],
      ],
    ])
    expect((await stored(ada)).slice(1)).toEqual([
      ['user', 'Where do I live?'],
      ['assistant', 'In Lisbon.'],
    ])
  })

  it.each([
    ['\u200b', []],
    ['hi \ud83d', [['user', 'hi \ufffd']]],
  ])('makes of %j what the service takes', async (given, kept) => {
    const ada = (await newMemory()).forSubject('ada')
    const { agent } = newAgent(ada)
    expect((await agent.generate(given)).text).toBe('In Lisbon.')
    expect(await stored(ada)).toEqual(kept)
  })

  it('does so where the answer comes as a stream', async () => {
    const ada = (await newMemory()).forSubject('ada')
    await ada.text.store({ text: 'Ada moved to Lisbon in May.' })
    const { agent, asked } = newAgent(ada)
    const stream = await agent.stream('Where do I live?')
    expect(await stream.text).toBe('In Lisbon.')
    await stream.consumeStream()
    expect(asked()[0]?.at(-1)).toHaveLength(3)
    expect((await stored(ada)).slice(1)).toEqual([['user', 'Where do I live?']])
  })

  it.each<[string, MemoryProcessorOptions, (user: string) => RequestContext]>([
    ['the resource of its context', {}, (user) => contextOf([MASTRA_RESOURCE_ID_KEY, user])],
    ['that of its memory', {}, (user) => contextOf(['MastraMemory', { resourceId: user }])],
    [
      'what the server says, whatever its caller does',
      {},
      (user) => contextOf(['MastraMemory', { resourceId: 'eve' }], [MASTRA_RESOURCE_ID_KEY, user]),
    ],
    [
      'what a function says',
      { subject: (context) => context?.get('user') as string },
      (user) => contextOf(['user', user]),
    ],
  ])('keeps each request to %s', async (_, options, contextFor) => {
    const memory = await newMemory()
    const { agent, asked } = newAgent(memory, options)
    await agent.generate('My harp is red.', { requestContext: contextFor('ada') })
    await agent.generate('My cello is blue.', { requestContext: contextFor('ben') })
    await agent.generate('Which instrument is mine?', { requestContext: contextFor('ada') })
    expect(String(asked()[2]?.at(-1))).toContain('- My harp is red.\n</memories>')
    expect(await stored(memory.forSubject('ben'))).toEqual([['user', 'My cello is blue.']])
    expect((await memory.patterns.count({ subject: null })).count).toBe(0)
  })

  it('works beside a memory of Mastra’s own: for its resource, and nothing of it gets into the history', async () => {
    const memory = await newMemory()
    const history = new MockMemory()
    const { agent, asked } = newAgent(memory, {}, { memory: history })
    const ofAda = { memory: { resource: 'ada', thread: 't1' } }
    await agent.generate('My harp is red.', ofAda)
    await agent.generate('Which instrument is mine?', ofAda)
    expect(asked()[1]?.at(-1)).toEqual([
      'user',
      expect.stringContaining('- My harp is red.\n</memories>'),
      'Which instrument is mine?',
    ])
    expect(await stored(memory.forSubject('ada'))).toHaveLength(2)
    const { messages } = await history.recall({ threadId: 't1', resourceId: 'ada' })
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant'])
    expect(JSON.stringify(messages)).not.toContain('memories>')
  })

  it('fails a request of nobody, unless everybody shares one memory', async () => {
    const memory = await newMemory()
    await expect(newAgent(memory).agent.generate('Hello.')).rejects.toThrow('Give memory.forSubject(user)')
    expect((await memory.patterns.count({})).count).toBe(0)
    await newAgent(memory, { shared: true }).agent.generate('Hello.')
    expect(await stored(memory)).toEqual([['user', 'Hello.']])
  })

  it('is refused with a filter that was lost on the way', async () => {
    const memory = await newMemory()
    expect(() => memoryProcessor(memory, { filter: undefined } as never)).toThrow(
      /^filter is undefined: give .* leave the key out/,
    )
  })

  it('fails where the memory can not be asked, or goes on without and says so', async () => {
    const { key } = await server.newClient({ scopes: ['usage:read'] })
    const ada = new MemoryClient({ apiKey: key, baseUrl: server.url, maxRetries: 0 }).forSubject('ada')
    await expect(newAgent(ada).agent.generate('Hello.')).rejects.toThrow('Insufficient scope')
    const errors: unknown[] = []
    const { agent } = newAgent(ada, { onError: (error) => errors.push(error) })
    expect((await agent.generate('Hello.')).text).toBe('In Lisbon.')
    expect(errors).toMatchObject([{ status: 403 }, { status: 403 }])
  })

  it('leaves room for the tools of the AI SDK', async () => {
    const ada = (await newMemory()).forSubject('ada')
    const { agent } = newAgent(ada, {}, { tools: memoryTools(ada) })
    expect(Object.keys(await agent.listTools())).toEqual(['recall', 'remember'])
    expect((await agent.generate('Hello.')).text).toBe('In Lisbon.')
  })
})
