/**
 * What recall costs by the MCP server, beside the same recall over plain HTTP.
 *
 *   npm run bench -- mcp [--texts 1000] [--calls 500] [--rounds 5]
 */
import { readOptions } from '../scripts/read-options.ts'
import type { Connection } from './support/client.ts'
import { environmentLine, readEnvironment } from './support/environment.ts'
import { timed } from './support/load.ts'
import { table, writeResult } from './support/results.ts'
import { newFolder, removeFolder, type Server, startServer } from './support/server.ts'
import { type Spread, showSpread, spread, summarize } from './support/statistics.ts'
import { TextSource } from './support/texts.ts'

const { values: options } = readOptions({
  options: {
    texts: { type: 'string', default: '1000' },
    calls: { type: 'string', default: '500' },
    rounds: { type: 'string', default: '5' },
  },
})
const [texts, calls, rounds] = [options.texts, options.calls, options.rounds].map(Number) as [
  number,
  number,
  number,
]

interface Way {
  p50Ms: Spread
  /** Above plain HTTP, of the same round. */
  addedMs: Spread
}

const environment = readEnvironment()
console.log(`${environmentLine(environment)}\n`)
const dataDir = newFolder()
try {
  const server = await startServer({ dataDir, settings: { LOG_LEVEL: 'error' } })
  try {
    const ways = await measure(server)
    console.log(
      table(
        ['recall by', 'p50 ms', 'above plain HTTP'],
        Object.entries(ways).map(([way, { p50Ms, addedMs }]) => [
          way,
          showSpread(p50Ms),
          showSpread(addedMs),
        ]),
      ),
    )
    writeResult('mcp', environment, { texts, calls, rounds, ways })
  } finally {
    await server.stop()
  }
} finally {
  removeFolder(dataDir)
}

/** One call at a time on one connection, the ways taking turns with queries that were asked before. */
async function measure(server: Server): Promise<Record<string, Way>> {
  const connection = await server.connect()
  const source = new TextSource(1)
  for (let n = 0; n < texts; n += 50) {
    const items = Array.from({ length: Math.min(50, texts - n) }, () => ({ text: source.next('short') }))
    await ok(connection, '/v1/memory/text/batch-store', { items })
  }
  const queries = Array.from({ length: 50 }, () => source.next('short'))
  const given = (n: number) => ({ query: queries[n % queries.length] as string, top_k: 10 })
  const accept = { accept: 'application/json, text/event-stream' }
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const toolCall = (n: number, more: object = {}) => ({
    jsonrpc: '2.0',
    id: n,
    method: 'tools/call',
    params: { name: 'recall', arguments: given(n), ...more },
  })
  const ways: Record<string, (n: number) => Promise<string>> = {
    'plain HTTP': (n) => ok(connection, '/v1/memory/text/recall', given(n)),
    'MCP, revision 2026-07-28': (n) =>
      ok(connection, '/mcp', toolCall(n, { _meta: meta }), {
        ...accept,
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': 'recall',
      }),
    'MCP, revision 2025-11-25': (n) =>
      ok(connection, '/mcp', toolCall(n), { ...accept, 'mcp-protocol-version': '2025-11-25' }),
  }
  const p50s = Object.fromEntries(Object.keys(ways).map((way) => [way, [] as number[]]))
  for (let round = -1; round < rounds; round++) {
    const samplesMs = Object.fromEntries(Object.keys(ways).map((way) => [way, [] as number[]]))
    for (let n = 0; n < calls; n++) {
      for (const [way, call] of Object.entries(ways)) {
        samplesMs[way]?.push(
          await timed(async () => {
            // An answer without memories would be another one, and faster.
            if (!(await call(n)).includes('pat_')) throw new Error(`${way} found nothing`)
          }),
        )
      }
    }
    // The first round only warms up.
    if (round === -1) continue
    for (const way of Object.keys(ways)) p50s[way]?.push(summarize(samplesMs[way] as number[]).p50)
  }
  connection.close()
  const plain = p50s['plain HTTP'] as number[]
  return Object.fromEntries(
    Object.entries(p50s).map(([way, values]) => [
      way,
      { p50Ms: spread(values), addedMs: spread(values.map((value, n) => value - (plain[n] as number))) },
    ]),
  )
}

async function ok(
  connection: Connection,
  path: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<string> {
  const { status, text } = await connection.send('POST', path, body, headers)
  if (status !== 200) throw new Error(`${path} answered ${status}: ${text.slice(0, 200)}`)
  return text
}
