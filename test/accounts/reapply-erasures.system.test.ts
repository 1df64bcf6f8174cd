import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { CommandProcess } from '../process/service-process.ts'
import { Anonymous, newUser } from '../support/accounts.ts'
import { startServer, type TestServer } from '../support/server.ts'

let server: TestServer

beforeAll(async () => {
  // The command finds the database in a folder of its own.
  server = await startServer({ MEMORY_DATA_DIR: mkdtempSync(join(tmpdir(), 'memory-test-')) })
})

afterAll(() => server.close())

it('D4 npm run accounts -- reapply-erasures erases what a backup brought back, never under a running embedded service', async () => {
  const [ada, ben, cleo] = [await newUser(server), await newUser(server), await newUser(server)]
  const { dataDir } = server.context.config
  // They were erased after the backup that was restored here.
  const at = new Date().toISOString()
  const lines = [
    { kind: 'organization', id: ada.organizationId, at },
    { kind: 'user', id: ada.userId, at },
  ]
  writeFileSync(join(dataDir, 'erasures.ndjson'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  const { databaseUrl } = server
  const run = (...args: string[]) =>
    new CommandProcess('apps/cli/src/accounts.ts', ['reapply-erasures', ...args], {
      MEMORY_DATA_DIR: dataDir,
      ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
    }).exit
  if (databaseUrl === undefined) {
    const refused = await run()
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/is in use by process \d+: stop it first/),
    })
    return
  }
  expect(await run()).toMatchObject({
    code: 0,
    stdout: 'Erased again: 2 users and organizations that had come back.\n',
  })
  expect(await run()).toMatchObject({ code: 0, stdout: 'Nothing that was erased has come back.\n' })
  expect((await ada.get('/v1/users/me')).status).toBe(401)
  const { email, password } = ada
  expect((await new Anonymous(server.url).post('/v1/auth/login', { email, password })).status).toBe(401)
  expect((await ben.get('/v1/users/me')).status).toBe(200)
  // A worker erased Cleo.
  const worker = join(dataDir, 'erasures-of-worker.ndjson')
  writeFileSync(worker, `${JSON.stringify({ kind: 'user', id: cleo.userId, at })}\n`)
  expect(await run('--ledger', worker)).toMatchObject({
    code: 0,
    stdout: 'Erased again: one user or organization that had come back.\n',
  })
  expect((await cleo.get('/v1/users/me')).status).toBe(401)
})
