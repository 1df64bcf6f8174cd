import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CommandClient } from '@memory/cli/client'
import { runDemo } from '@memory/cli/demo'
import { exportFile } from '@memory/cli/export'
import { importFile } from '@memory/cli/import'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../support/server.ts'

let server: TestServer
let folder: string

beforeAll(async () => {
  server = await startServer()
  folder = mkdtempSync(join(tmpdir(), 'memory-cli-real-'))
})

afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

async function newClient(): Promise<CommandClient> {
  const { key } = await server.newClient()
  return new CommandClient({ connection: { url: server.url, key, keySource: 'the test' } })
}

const quiet = { write: () => {} }

interface Line {
  text: string
  metadata?: Record<string, unknown>
  occurred_at?: string
}

function readLines(file: string): Line[] {
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
}

describe('import and export against the service', () => {
  it('give back what was imported: texts, metadata and times, in order', async () => {
    const lines: Line[] = Array.from({ length: 120 }, (_, i) => ({
      text: `Fact ${i}: the ferry to island ${i} leaves at ${i % 24} o’clock.`,
      metadata: { island: i, even: i % 2 === 0 },
      occurred_at: new Date(Date.UTC(2025, 0, 1, i)).toISOString(),
    }))
    const source = join(folder, 'facts.ndjson')
    writeFileSync(source, `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`)
    const client = await newClient()

    expect(await importFile({ file: source, client, output: quiet })).toMatchObject({
      stored: 120,
      invalid: 0,
    })
    const copy = join(folder, 'copy.ndjson')
    expect(await exportFile({ file: copy, client, output: quiet, pageSize: 50 })).toMatchObject({
      exported: 120,
    })
    expect(readLines(copy)).toMatchObject(lines)

    const other = await newClient()
    expect(await importFile({ file: copy, client: other, output: quiet })).toMatchObject({ stored: 120 })
    const again = join(folder, 'again.ndjson')
    await exportFile({ file: again, client: other, output: quiet })
    expect(readLines(again)).toMatchObject(lines)
  })

  it('stores nothing twice when an import that is done is run again', async () => {
    const file = join(folder, 'once.ndjson')
    writeFileSync(file, `${JSON.stringify({ text: 'Only once.' })}\n`)
    const { key } = await server.newClient()
    const client = new CommandClient({ connection: { url: server.url, key, keySource: 'the test' } })
    await importFile({ file, client, output: quiet })
    await importFile({ file, client, output: quiet })
    const copy = join(folder, 'once-copy.ndjson')
    expect(await exportFile({ file: copy, client, output: quiet })).toMatchObject({ exported: 1 })
  })
})

describe('the demo', () => {
  it('finds most answers first across languages, and leaves nothing behind', async () => {
    const client = await newClient()
    const result = await runDemo({ client, output: quiet })
    expect(result.foundFirst).toBeGreaterThanOrEqual(8)
    expect(result.forgotten).toBe(result.stored)
    const copy = join(folder, 'after-demo.ndjson')
    expect(await exportFile({ file: copy, client, output: quiet })).toMatchObject({ exported: 0 })
  })
})
