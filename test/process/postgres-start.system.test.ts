import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bare, newDatabase, onPostgres, type TestDatabase } from '../support/database.ts'
import { until } from '../support/until.ts'
import { run, type ServiceProcess, startService } from './service-process.ts'

// One database, in which there is no organization at first, goes through everything below, in this order.
describe.runIf(onPostgres)('a service on PostgreSQL', () => {
  let dataDir: string
  let database: TestDatabase
  let service: ServiceProcess
  const nextStep = 'npm run keys -- create --new-organization "My organization" --name first'

  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'memory-postgres-'))
    database = (await newDatabase()) as TestDatabase
  })

  afterAll(async () => {
    await service?.stop('SIGKILL')
    await database.drop()
    rmSync(dataDir, { recursive: true, force: true })
  })

  const start = async () => {
    service = await startService(dataDir, { DATABASE_URL: database.url })
    await until(() => service.stderr.includes('Memory Service is ready'), 'the welcome')
  }
  const works = (through: string) => {
    const { host, pathname } = new URL(database.url)
    return `Database: PostgreSQL at ${host}${pathname} (DATABASE_URL)${through}\n`
  }

  it('has to be migrated first, says npm run keys', async () => {
    const empty = (await newDatabase(bare)) as TestDatabase
    try {
      const { code, stdout, stderr } = await run('apps/cli/src/keys.ts', ['list'], {
        DATABASE_URL: empty.url,
      })
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      expect(stderr).toMatch(/^The database lacks migrations \(.+\): run npm run migrate first\.\n$/)
    } finally {
      await empty.drop()
    }
  }, 60_000)

  it('names the next step of whoever started it, until there is an organization', async () => {
    await start()
    expect(service.stderr).toContain(nextStep)
    expect(service.stderr).toContain('need a worker: npm run worker')
  }, 60_000)

  it('is found by commands without DATABASE_URL, which then work on its database', async () => {
    expect(statSync(join(dataDir, 'operator.json')).mode & 0o777).toBe(0o600)
    const args = ['create', '--new-organization', 'My organization', '--name', 'first', '--json']
    const created = await run('apps/cli/src/keys.ts', args, { MEMORY_DATA_DIR: dataDir })
    expect(created).toMatchObject({ code: 0, stderr: works(', through the service that runs') })
    const { key, organization, name } = JSON.parse(created.stdout)
    expect(name).toBe('first')
    expect(await service.client(key).store(['Ada moved to Lisbon in May.'])).toBeDefined()
    const listed = await run('apps/cli/src/keys.ts', ['list', '--organization', organization, '--json'], {
      DATABASE_URL: database.url,
    })
    expect(listed).toMatchObject({ code: 0, stderr: works('') })
    expect(JSON.parse(listed.stdout)).toEqual({ organization, keys: [expect.objectContaining({ name })] })
    expect(existsSync(join(dataDir, 'database'))).toBe(false)
  }, 60_000)

  it('leaves no address when it ends, and says less when it starts again', async () => {
    await service.stop('SIGTERM')
    expect(existsSync(join(dataDir, 'operator.json'))).toBe(false)
    await start()
    expect(service.stderr).not.toContain(nextStep)
    expect(service.stderr).toContain('npm run worker')
  }, 60_000)
})
