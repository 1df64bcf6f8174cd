import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import type { Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createApp } from '@memory/api/app'
import { createApiServer } from '@memory/api/http/server'
import { listen } from '@memory/shared/platform/http-server'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort } from '../../../scripts/free-port.ts'
import { expectKept } from '../../conformance/results.ts'
import { newUser } from '../../support/accounts.ts'
import { startServer, type TestServer } from '../../support/server.ts'
import { outcomeOf, suite, suiteProgram, suiteVersion } from './suite.ts'

const scenarios = ['authorization-server-metadata-endpoint', 'authorization-code-grant']

let service: TestServer
let server: Server
let issuer: string
let output: string

beforeAll(async () => {
  const port = await freePort()
  issuer = `http://127.0.0.1:${port}`
  service = await startServer({ PUBLIC_BASE_URL: issuer, MEMORY_MCP_CLIENT_DOCUMENTS: 'on' })
  server = await listen(createApiServer(createApp(service.context)), port, '127.0.0.1', 'PORT')
  output = mkdtempSync(join(tmpdir(), 'mcp-authorization-'))
})

afterAll(async () => {
  server.closeAllConnections()
  await new Promise((done) => server.close(done))
  await service.close()
  rmSync(output, { recursive: true, force: true })
})

/** Does what the suite asks a person to do in a browser. */
async function signIn(address: string, user: { email: string; password: string }): Promise<void> {
  const form = { ...user, decision: 'allow', scope: 'memory:read' }
  const answer = await fetch(address, { method: 'POST', redirect: 'manual', body: new URLSearchParams(form) })
  await fetch(answer.headers.get('location') ?? 'about:nowhere')
}

it('the service authorizes programs as the protocol asks of an authorization server', async () => {
  const port = await freePort()
  const registered = await fetch(`${issuer}/oauth/register`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ redirect_uris: [`http://127.0.0.1:${port}/callback`] }),
  })
  const { client_id: clientId } = (await registered.json()) as { client_id: string }
  const { email, password } = await newUser(service)
  const asked = [
    '--url',
    issuer,
    '--client-id',
    clientId,
    '--resource',
    `${issuer}/mcp`,
    '--port',
    String(port),
  ]
  const child = spawn(process.execPath, [suiteProgram, 'authorization', ...asked, '-o', output], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const ended = new Promise((resolve) => child.once('close', resolve))
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith(`${issuer}/oauth/authorize?`)) await signIn(line, { email, password })
  }
  await ended
  const missed = scenarios.map((each) => outcomeOf(each, '*', output)).filter(({ isPassed }) => !isPassed)
  expect(missed).toEqual([])
  expectKept({
    suite: 'Model Context Protocol, scenarios of authorization servers',
    package: suite,
    version: suiteVersion,
    passed: scenarios.length,
    skipped: [],
  })
})
