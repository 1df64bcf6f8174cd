import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { MemoryClient } from 'memory-service-sdk'
import manifest from '../package.json' with { type: 'json' }
import { createMemoryServer } from './server.ts'
import { StdioTransport } from './stdio.ts'

const { version } = manifest

const help = `memory-service-mcp ${version}: the memory of a Memory Service for MCP clients, over stdio.

  --tools=all   those of the engine too
  --help        this

  MEMORY_SERVICE_API_KEY   a key of the service; needed
  MEMORY_SERVICE_URL       its address; http://127.0.0.1:8000 unless said

A key says whose memories these are: one that is bound to an end user reaches theirs alone.
`

/** Serves one client, over standard input and output, with the memory of a service. */
function main(): void {
  const { values } = parseArgs({ options: { tools: { type: 'string' }, help: { type: 'boolean' } } })
  if (values.help) {
    process.stdout.write(help)
    return
  }
  if (values.tools !== undefined && values.tools !== 'all')
    throw new Error('--tools takes all, or is left out.')
  const { MEMORY_SERVICE_API_KEY: apiKey, MEMORY_SERVICE_URL: baseUrl } = process.env
  if (!apiKey) throw new Error('MEMORY_SERVICE_API_KEY is not set: give it a key of the service.')
  const memory = new MemoryClient({ apiKey, ...(baseUrl && { baseUrl }) })
  const tools = { memory, secret: randomBytes(32), now: () => new Date() }
  serveStdio(
    () => createMemoryServer({ ...tools, tools: values.tools === 'all' ? 'all' : 'memory', version }),
    {
      transport: new StdioTransport(process.stdin, process.stdout, (requests) => {
        process.stderr.write(`memory-service-mcp: the input ended, and requests were given up: ${requests}\n`)
        process.exitCode = 1
      }),
      // Standard output is the client's.
      onerror: (error) => process.stderr.write(`${error.message}\n`),
    },
  )
}

try {
  main()
} catch (error) {
  process.stderr.write(`memory-service-mcp: ${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}
