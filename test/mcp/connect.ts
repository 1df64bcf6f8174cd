import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

/** The revisions of the protocol that are served; a client of the first opens with a handshake. */
export const revisions = ['2025-11-25', '2026-07-28'] as const
export type Revision = (typeof revisions)[number]

/** What a tool answered. */
export interface ToolAnswer {
  isError: boolean
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: each tool has a schema of its own, which the client checks
  structured: any
}

/** The official client, connected to a server at an address. */
export class McpClient {
  readonly client: Client

  constructor(client: Client) {
    this.client = client
  }

  async call(name: string, given: Record<string, unknown> = {}): Promise<ToolAnswer> {
    const answer = await this.client.callTool({ name, arguments: given })
    const [content] = answer.content
    return {
      isError: answer.isError === true,
      text: content?.type === 'text' ? content.text : '',
      structured: answer.structuredContent,
    }
  }

  /** As `call`, for what must succeed. */
  async ok(name: string, given: Record<string, unknown> = {}): Promise<ToolAnswer> {
    const answer = await this.call(name, given)
    if (answer.isError) throw new Error(`${name}: ${answer.text}`)
    return answer
  }

  close(): Promise<void> {
    return this.client.close()
  }
}

export const newClient = (revision: Revision): Client =>
  new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode: revision === '2025-11-25' ? 'legacy' : { pin: revision } } },
  )

/** Connects with headers that say who asks. @param path with its query */
export async function connect(
  url: string,
  headers: Record<string, string>,
  { revision = '2026-07-28', path = '/mcp' }: { revision?: Revision; path?: string } = {},
): Promise<McpClient> {
  const client = newClient(revision)
  await client.connect(new StreamableHTTPClientTransport(new URL(path, url), { requestInit: { headers } }))
  return new McpClient(client)
}
