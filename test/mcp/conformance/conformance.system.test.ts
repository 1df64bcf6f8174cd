import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createApp } from '@memory/api/app'
import { createApiServer } from '@memory/api/http/server'
import { addressOf, listen } from '@memory/shared/platform/http-server'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { parse, stringify } from 'yaml'
import { expectKept } from '../../conformance/results.ts'
import { startServer, type TestServer } from '../../support/server.ts'
import { type Revision, revisions } from '../connect.ts'
import { makeConformanceServer } from './fixture.ts'
import { outcomeOf, suite, suiteFolder, suiteProgram, suiteVersion } from './suite.ts'

const asksBack =
  'The server asks its client, over a session. The service keeps none, and none of its tools asks anything.'
/** Scenarios that the service is not to pass. */
const notApplicable: Partial<Record<Revision, Record<string, string>>> = {
  '2025-11-25': {
    'tools-call-sampling': asksBack,
    'tools-call-elicitation': asksBack,
    'elicitation-sep1034-defaults': asksBack,
    'elicitation-sep1330-enums': asksBack,
    'server-sse-multiple-streams': 'The suite looks for streams of one session, and the service keeps none.',
  },
}

let service: TestServer
let server: Server
let url: string
let results: string

beforeAll(async () => {
  service = await startServer()
  const { key } = await service.newClient()
  const app = createApp(service.context, makeConformanceServer)
  // The suite has no credentials to present.
  const withKey = createApiServer((req, res) => {
    req.headers['x-api-key'] = key
    app(req, res)
  })
  server = await listen(withKey, 0, '127.0.0.1', 'PORT')
  url = `http://127.0.0.1:${addressOf(server).port}/mcp`
  results = mkdtempSync(join(tmpdir(), 'mcp-conformance-'))
})

afterAll(async () => {
  server.closeAllConnections()
  await new Promise((done) => server.close(done))
  await service.close()
  rmSync(results, { recursive: true, force: true })
})

it.each(revisions)('the MCP server passes what its protocol requires by revision %s', async (revision) => {
  const requirements = readFileSync(join(suiteFolder, 'requirements', `${revision}.yaml`), 'utf8')
  const { server: required } = parse(requirements) as { server: string[] }
  expect(required.length).toBeGreaterThan(20)
  const skipped = notApplicable[revision] ?? {}
  const output = join(results, revision)
  const expected = join(results, `${revision}.yaml`)
  writeFileSync(expected, stringify({ server: Object.keys(skipped) }))
  await promisify(execFile)(process.execPath, [
    suiteProgram,
    'server',
    ...['--url', url, '--requirements', revision, '--expected-failures', expected, '-o', output],
  ]).catch((error: { stdout?: string }) => {
    // What is wrong is told below, check by check.
    if (!error.stdout?.includes('=== SUMMARY ===')) throw error
  })
  const outcomes = required.map((scenario) => outcomeOf(scenario, 'server-', output))
  const missed = outcomes.filter(({ isPassed }) => !isPassed)
  expect(missed.filter(({ scenario }) => skipped[scenario] === undefined)).toEqual([])
  // What is left out is what fails, and nothing that would pass.
  expect(missed.map(({ scenario }) => scenario).toSorted()).toEqual(Object.keys(skipped).toSorted())
  expectKept({
    suite: `Model Context Protocol, scenarios that revision ${revision} requires of servers`,
    package: suite,
    version: suiteVersion,
    passed: outcomes.length - missed.length,
    skipped: Object.entries(skipped).map(([test, why]) => ({ test, why })),
  })
})
