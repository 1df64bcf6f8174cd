import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { plans } from '@memory/shared/catalogue/plans'
import { builtFrom, packageVersion } from '@memory/shared/platform/version'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inSpace } from '../memory/space.ts'
import { Anonymous, newUser } from '../support/accounts.ts'
import { startServer, type TestServer } from '../support/server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server.close())

/** The value of each series of a metric, by the value of its label `error`. */
async function byError(name: string): Promise<Record<string, number>> {
  const metric = await server.context.metrics.registry.getSingleMetric(name)?.get()
  return Object.fromEntries((metric?.values ?? []).map(({ labels, value }) => [labels.error, value]))
}

describe('metrics', () => {
  it('count what plans refuse, and nothing that they allow', async () => {
    const name = 'memory_refused_quotas_total'
    const none = { query_limit_reached: 0, pattern_limit_reached: 0, plan_exceeded: 0 }
    expect(await byError(name)).toEqual(none)
    const ada = await server.newClient({ plan: 'free' })
    const retrieve = () => ada.post('/v1/memory/text/retrieve', { query: 'bees' })
    const store = (text: string) => ada.post('/v1/memory/text/store', { text })
    expect([(await retrieve()).status, (await store('Ada keeps bees.')).status]).toEqual([200, 200])
    expect(await byError(name)).toEqual(none)
    await inSpace(server, ada, async (trx, { id }) => {
      await sql`update app.query_counts set used = ${plans.free.queriesPerDay} where space_id = ${id}`.execute(
        trx,
      )
      await sql`update app.spaces set patterns_used = ${plans.free.patterns} where id = ${id}`.execute(trx)
    })
    expect([
      (await retrieve()).status,
      (await retrieve()).status,
      (await store('Ben sails.')).status,
    ]).toEqual([429, 429, 429])
    const owner = await newUser(server)
    const newKey = async () => (await owner.post('/v1/api-keys', { name: 'n' })).status
    for (let made = 0; made < plans.free.apiKeys; made++) expect(await newKey()).toBe(200)
    expect(await newKey()).toBe(403)
    expect(await byError(name)).toEqual({
      query_limit_reached: 2,
      pattern_limit_reached: 1,
      plan_exceeded: 1,
    })
  })

  it('count failed logins, and no others', async () => {
    const name = 'memory_failed_logins_total'
    const before = await byError(name)
    const { email, password } = await newUser(server)
    const login = async (body: object) =>
      (await new Anonymous(server.url).post('/v1/auth/login', body)).status
    expect(await login({ email, password })).toBe(200)
    expect(await byError(name)).toEqual(before)
    expect(await login({ email, password: 'not that password' })).toBe(401)
    expect(await login({ email: 'nobody@example.com', password })).toBe(401)
    expect(await byError(name)).toEqual({ ...before, invalid_login: (before.invalid_login as number) + 2 })
  })

  it('say what runs', async () => {
    const { values } =
      (await server.context.metrics.registry.getSingleMetric('memory_build_info')?.get()) ?? {}
    const labels = { version: packageVersion(), commit: builtFrom(), node: process.version }
    expect(values).toEqual([{ labels, value: 1 }])
  })
})

describe('the commit that runs', () => {
  const commit = 'a'.repeat(40)
  /** Reads it of a folder with these files. */
  const readFrom = (files: Record<string, string>, at = '.') => {
    const folder = mkdtempSync(join(tmpdir(), 'memory-commit-'))
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(join(folder, path, '..'), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
    const read = builtFrom(join(folder, at))
    rmSync(folder, { recursive: true })
    return read
  }

  it.each([
    ['an image', { commit: `${commit}\n`, '.git/HEAD': 'b' }],
    ['a clone at a commit', { '.git/HEAD': `${commit}\n` }],
    ['a clone on a branch', { '.git/HEAD': 'ref: refs/heads/main\n', '.git/refs/heads/main': `${commit}\n` }],
    [
      'a clone with packed branches',
      { '.git/HEAD': 'ref: refs/heads/main\n', '.git/packed-refs': `# pack\n${commit} refs/heads/main\n` },
    ],
  ])('is that of %s', (_, files: Record<string, string>) => {
    expect(readFrom(files)).toBe(commit)
  })

  it('is that of a further work tree', () => {
    const files = {
      'clone/.git/refs/heads/side': `${commit}\n`,
      'clone/.git/worktrees/side/HEAD': 'ref: refs/heads/side\n',
      'clone/.git/worktrees/side/commondir': '../..\n',
      'side/.git': 'gitdir: ../clone/.git/worktrees/side\n',
    }
    expect(readFrom(files, 'side')).toBe(commit)
  })

  it.each([
    ['there is neither', {}],
    ['its branch has no commit', { '.git/HEAD': 'ref: refs/heads/main\n', '.git/packed-refs': '' }],
  ])('is unknown where %s', (_, files) => {
    expect(readFrom(files)).toBe('unknown')
  })
})
