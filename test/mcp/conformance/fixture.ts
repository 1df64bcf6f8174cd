import { setTimeout as wait } from 'node:timers/promises'
import type { MakeServer } from '@memory/api/http/mcp/mcp'
import {
  acceptedContent,
  type CallToolResult,
  createRequestStateCodec,
  fromJsonSchema,
  type InputRequests,
  inputRequired,
  inputResponse,
  McpServer,
  ResourceTemplate,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { z } from 'zod'

/*
 * The conformance suite asks a server for tools, resources and prompts of its own, by these names and with these contents. Here
 * they stand beside those of the service, in a server that is mounted as the service mounts it.
 */

const image = {
  type: 'image' as const,
  data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==',
  mimeType: 'image/png',
}
const audio = {
  type: 'audio' as const,
  data: 'UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=',
  mimeType: 'audio/wav',
}
const text = (said: string) => ({ type: 'text' as const, text: said })
const resource = (uri: string, said: string, mimeType = 'text/plain') => ({
  type: 'resource' as const,
  resource: { uri, mimeType, text: said },
})

/** What a tool that is given nothing answers, by its name. */
const contents: Record<string, CallToolResult['content']> = {
  test_simple_text: [text('This is a simple text response for testing.')],
  test_image_content: [image],
  test_audio_content: [audio],
  test_embedded_resource: [resource('test://embedded-resource', 'This is an embedded resource content.')],
  test_multiple_content_types: [
    text('Multiple content types test:'),
    image,
    resource('test://mixed-content-resource', '{"test":"data","value":123}', 'application/json'),
  ],
}

/** Signs what goes round by the client, so that what comes back is what was sent. */
const states = createRequestStateCodec<string>({ key: new Uint8Array(32).fill(7) })

/** The service's own tools, resources and prompts, and what the suite looks for. */
export const makeConformanceServer: MakeServer = ({ registerMemory }, options, { era }) => {
  const listChanged = false
  const server = new McpServer(
    { name: 'memory-service', version: options.version },
    {
      capabilities: {
        tools: { listChanged },
        // Of the later revision subscribing is listening to a stream of announcements, of which the service has none.
        resources: { listChanged, subscribe: era === 'legacy' },
        prompts: { listChanged },
        logging: {},
        completions: {},
      },
      requestState: { verify: states.verify },
    },
  )
  registerMemory(server, options)
  registerTools(server)
  registerInputTools(server)
  registerResources(server)
  registerPrompts(server)
  return server
}

const nothing = z.object({})

function registerTools(server: McpServer): void {
  for (const [name, content] of Object.entries(contents)) {
    server.registerTool(name, { description: name, inputSchema: nothing }, () => ({ content }))
  }
  server.registerTool('test_error_handling', { description: 'Fails', inputSchema: nothing }, () => {
    throw new Error('This tool intentionally returns an error for testing')
  })
  for (const name of ['test_tool_with_logging', 'test_logging_tool']) {
    server.registerTool(name, { description: 'Logs', inputSchema: nothing }, async (_, { mcpReq }) => {
      for (const said of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
        await mcpReq.log('info', said)
        await wait(50)
      }
      return { content: [text('Tool with logging executed successfully')] }
    })
  }
  server.registerTool(
    'test_tool_with_progress',
    { description: 'Reports progress', inputSchema: nothing },
    async (_, { mcpReq }) => {
      const progressToken = mcpReq._meta?.progressToken ?? 0
      for (const progress of [0, 50, 100]) {
        const params = { progressToken, progress, total: 100 }
        await mcpReq.notify({ method: 'notifications/progress', params })
        await wait(50)
      }
      return { content: [text(String(progressToken))] }
    },
  )
  server.registerTool(
    'json_schema_2020_12_tool',
    {
      description: 'Has a schema with references',
      inputSchema: fromJsonSchema({
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        $defs: {
          address: {
            $anchor: 'addressDef',
            type: 'object',
            properties: { street: { type: 'string' }, city: { type: 'string' } },
          },
        },
        properties: {
          name: { type: 'string' },
          address: { $ref: '#/$defs/address' },
          contactMethod: { type: 'string', enum: ['phone', 'email'] },
          phone: { type: 'string' },
          email: { type: 'string' },
        },
        allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
        if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
        // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema
        then: { required: ['phone'] },
        else: { required: ['email'] },
        additionalProperties: false,
      }),
    },
    (given) => ({ content: [text(JSON.stringify(given))] }),
  )
}

const asked = (message: string, field: string) =>
  inputRequired.elicit({
    message,
    requestedSchema: { type: 'object', properties: { [field]: { type: 'string' } }, required: [field] },
  })
const confirmed = inputRequired.elicit({
  message: 'Please confirm',
  requestedSchema: { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] },
})
const sampled = (said: string) =>
  inputRequired.createMessage({ messages: [{ role: 'user', content: text(said) }], maxTokens: 100 })

type Responses = ServerContext['mcpReq']['inputResponses']

/** What a client was to answer, if it has. */
function answered(responses: Responses, requests: InputRequests): Record<string, unknown> | undefined {
  const found = Object.entries(requests).map(([name, { method }]) => {
    const response = inputResponse(responses, name)
    switch (response.kind) {
      case 'elicit': {
        const content = method === 'elicitation/create' && acceptedContent(responses, name)
        return [name, content || undefined] as const
      }
      case 'sampling':
        return [name, method === 'sampling/createMessage' ? response.result.content : undefined] as const
      case 'roots':
        return [name, method === 'roots/list' ? response.roots : undefined] as const
      default:
        return [name, undefined] as const
    }
  })
  return found.every(([, value]) => value !== undefined) ? Object.fromEntries(found) : undefined
}

/** Tools that ask the client before they answer, in one round or more, with a state that goes round or without. */
const rounds: Record<string, { rounds: InputRequests[]; hasState: boolean }> = {
  test_input_required_result_elicitation: {
    rounds: [{ user_name: asked('What is your name?', 'name') }],
    hasState: false,
  },
  test_input_required_result_sampling: {
    rounds: [{ capital_question: sampled('What is the capital of France?') }],
    hasState: false,
  },
  test_input_required_result_list_roots: {
    rounds: [{ client_roots: inputRequired.listRoots() }],
    hasState: false,
  },
  test_input_required_result_request_state: {
    rounds: [{ confirm: confirmed }],
    hasState: true,
  },
  test_input_required_result_tampered_state: {
    rounds: [{ confirm: confirmed }],
    hasState: true,
  },
  test_input_required_result_multiple_inputs: {
    rounds: [
      {
        user_name: asked('What is your name?', 'name'),
        greeting: sampled('Generate a greeting'),
        client_roots: inputRequired.listRoots(),
      },
    ],
    hasState: true,
  },
  test_input_required_result_multi_round: {
    rounds: [
      { step1: asked('Step 1: What is your name?', 'name') },
      { step2: asked('Step 2: What is your favorite color?', 'color') },
    ],
    hasState: true,
  },
}

function registerInputTools(server: McpServer): void {
  for (const [name, { rounds: all, hasState }] of Object.entries(rounds)) {
    server.registerTool(name, { description: 'Asks', inputSchema: nothing }, async (_, { mcpReq }) => {
      const round = Number(mcpReq.requestState<string>() ?? 0)
      const responses = answered(mcpReq.inputResponses, all[round] ?? {})
      const next = responses === undefined ? round : round + 1
      const inputRequests = all[next]
      if (inputRequests !== undefined) {
        return inputRequired({
          inputRequests,
          ...(hasState && { requestState: await states.mint(String(next)) }),
        })
      }
      return { content: [text(`state-ok, Hello, ${JSON.stringify(responses)}!`)] }
    })
  }
  // Asks only for what the client has said that it can do.
  server.registerTool(
    'test_input_required_result_capabilities',
    { description: 'Asks what can be asked', inputSchema: nothing },
    (_, { mcpReq }) => {
      const can = server.server.getClientCapabilities() ?? {}
      const inputRequests: InputRequests = {
        ...(can.sampling !== undefined && { sample: sampled('Say something') }),
        ...(can.elicitation !== undefined && { name: asked('What is your name?', 'name') }),
        ...(can.roots !== undefined && { client_roots: inputRequired.listRoots() }),
      }
      if (answered(mcpReq.inputResponses, inputRequests) !== undefined)
        return { content: [text('Thank you.')] }
      return inputRequired({ inputRequests })
    },
  )
  server.registerTool('test_streaming_elicitation', { description: 'Asks', inputSchema: nothing }, () =>
    inputRequired({ inputRequests: { name: asked('What is your name?', 'name') } }),
  )
  // Asks whatever the client can do.
  server.registerTool(
    'test_missing_capability',
    { description: 'Needs sampling', inputSchema: nothing },
    () => inputRequired({ inputRequests: { sample: sampled('Say something') } }),
  )
}

function registerResources(server: McpServer): void {
  const said = (uri: string, content: string, mimeType = 'text/plain') => ({
    contents: [{ uri, mimeType, text: content }],
  })
  for (const [name, uri] of [
    ['static-text', 'test://static-text'],
    ['watched', 'test://watched-resource'],
  ] as const) {
    server.registerResource(name, uri, { mimeType: 'text/plain' }, () =>
      said(uri, 'This is the content of the static text resource.'),
    )
  }
  const binary = 'test://static-binary'
  server.registerResource('static-binary', binary, { mimeType: image.mimeType }, () => ({
    contents: [{ uri: binary, mimeType: image.mimeType, blob: image.data }],
  }))
  const template = new ResourceTemplate('test://template/{id}/data', { list: undefined })
  server.registerResource('template', template, { mimeType: 'application/json' }, ({ href }, { id }) =>
    said(href, JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }), 'application/json'),
  )
  if (server.server.getCapabilities().resources?.subscribe === true) {
    server.server.setRequestHandler('resources/subscribe', () => ({}))
    server.server.setRequestHandler('resources/unsubscribe', () => ({}))
  }
  server.server.setRequestHandler('completion/complete', () => ({ completion: { values: [] } }))
}

function registerPrompts(server: McpServer): void {
  const prompt = (...contents: (ReturnType<typeof text> | ReturnType<typeof resource> | typeof image)[]) => ({
    messages: contents.map((content) => ({ role: 'user' as const, content })),
  })
  server.registerPrompt('test_simple_prompt', { description: 'Plain' }, () =>
    prompt(text('This is a simple prompt for testing.')),
  )
  server.registerPrompt(
    'test_prompt_with_arguments',
    { description: 'With arguments', argsSchema: z.object({ arg1: z.string(), arg2: z.string() }) },
    ({ arg1, arg2 }) => prompt(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  )
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'With a resource', argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri }) =>
      prompt(resource(resourceUri, 'Embedded resource content for testing.'), text('Please process it.')),
  )
  server.registerPrompt('test_prompt_with_image', { description: 'With an image' }, () =>
    prompt(image, text('Please analyze the image above.')),
  )
  const inputRequests = { user_context: asked('What context should the prompt use?', 'context') }
  server.registerPrompt('test_input_required_result_prompt', { description: 'Asks' }, ({ mcpReq }) => {
    const context = answered(mcpReq.inputResponses, inputRequests)
    return context === undefined ? inputRequired({ inputRequests }) : prompt(text(JSON.stringify(context)))
  })
}
