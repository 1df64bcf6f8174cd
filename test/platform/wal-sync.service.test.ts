import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { DiskReserve } from '@memory/shared/platform/database/disk-reserve'
import { defaultSeedFolder } from '@memory/shared/platform/database/embedded'
import { PGliteSession } from '@memory/shared/platform/database/embedded-session'
import { EmbeddedStatements } from '@memory/shared/platform/database/embedded-statements'
import { type FileSync, WalSync } from '@memory/shared/platform/database/wal-sync'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

/** A disk that says what it is asked for, and is ready when the test says so. */
class Disk implements FileSync {
  readonly asked: string[] = []
  readonly #under: { file: number; done: (error: NodeJS.ErrnoException | null) => void }[] = []

  now(file: number): void {
    this.asked.push(`now ${file}`)
  }

  later(file: number, done: (error: NodeJS.ErrnoException | null) => void): void {
    this.asked.push(`later ${file}`)
    this.#under.push({ file, done })
  }

  /** Ends what is under way. */
  async end(error: Error | null = null): Promise<void> {
    for (const { done } of this.#under.splice(0)) done(error)
    await setImmediate()
  }
}

async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false
  void promise.then(() => {
    settled = true
  })
  await setImmediate()
  return settled
}

let disk: Disk
let failures: unknown[]
let wal: WalSync

beforeEach(() => {
  disk = new Disk()
  failures = []
  wal = new WalSync((error) => failures.push(error), disk)
})

/** A statement that commits: the database asks for its log to be on the disk. @returns what is to be waited for */
async function commit(file = 7): Promise<{ durable: Promise<void> }> {
  const { result, durable } = await wal.putOff(async () => wal.request(file))
  expect(result).toBe(true)
  return { durable: durable as Promise<void> }
}

describe('WalSync', () => {
  it('leaves a sync that nobody waits for to be done at once', () => {
    expect(wal.request(7)).toBe(false)
    expect(disk.asked).toEqual([])
  })

  it('tells who has committed, and settles when the disk has it', async () => {
    expect(await wal.putOff(async () => 'read')).toEqual({ result: 'read', durable: undefined })
    const { durable } = await commit()
    expect(await isSettled(durable)).toBe(false)
    await disk.end()
    expect(await isSettled(durable)).toBe(true)
    expect(disk.asked).toEqual(['later 7'])
  })

  it('does not take a sync that had begun before for a commit, and shares the next one', async () => {
    const { durable: first } = await commit()
    const { durable: second } = await commit()
    const { durable: third } = await commit()
    await disk.end()
    expect(await isSettled(first)).toBe(true)
    expect(await isSettled(second)).toBe(false)
    expect(disk.asked).toEqual(['later 7', 'later 7'])
    await disk.end()
    expect(await isSettled(second)).toBe(true)
    expect(await isSettled(third)).toBe(true)
    expect(disk.asked).toEqual(['later 7', 'later 7'])
  })

  it('is on the disk before anything else is changed, once', async () => {
    await commit()
    wal.before()
    wal.before()
    expect(disk.asked).toEqual(['later 7', 'now 7'])
    expect(await isSettled(wal.durable())).toBe(true)
  })

  it('keeps what is written while a sync is under way for the next', async () => {
    const { durable: first } = await commit()
    await commit()
    await disk.end()
    await first
    wal.before()
    expect(disk.asked).toEqual(['later 7', 'later 7', 'now 7'])
  })

  it('gives up when the disk refuses, and only then', async () => {
    await commit()
    await disk.end(new Error('EIO'))
    expect(failures).toEqual([new Error('EIO')])
  })

  it('gives up although another sync of the file succeeded since: a failure is told once', async () => {
    await commit()
    wal.before()
    await disk.end(new Error('EIO'))
    expect(failures).toEqual([new Error('EIO')])
  })

  it('takes no offence at a file that was brought to the disk and closed meanwhile, whosever its number is', async () => {
    const { durable } = await commit()
    wal.before()
    wal.closed(7)
    const { durable: next } = await commit()
    await disk.end(Object.assign(new Error('closed'), { code: 'EBADF' }))
    expect(failures).toEqual([])
    expect(await isSettled(durable)).toBe(true)
    expect(await isSettled(next)).toBe(false)
    await disk.end()
    expect(await isSettled(next)).toBe(true)
  })

  it('settles what a statement has written that failed afterwards', async () => {
    const failed = wal.putOff(async () => {
      wal.request(7)
      throw new Error('it failed')
    })
    await expect(failed).rejects.toThrow('it failed')
    expect(disk.asked).toEqual(['later 7'])
  })
})

describe('the embedded database with a slow disk', () => {
  let folder: string
  let session: PGliteSession
  let statements: EmbeddedStatements

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'memory-log-'))
    cpSync(defaultSeedFolder(), folder, { recursive: true })
    session = await PGliteSession.open(folder, disk)
    statements = new EmbeddedStatements(session, new DiskReserve(folder))
    await statements.exec('create table public.notes (n int)')
    disk.asked.length = 0
  })

  afterEach(async () => {
    await session.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const insert = (n: number) => statements.run('insert into public.notes values ($1)', [n], false)
  const count = async () => {
    const { rows } = await statements.run<{ n: number }>(
      'select count(*)::int as n from public.notes',
      [],
      false,
    )
    return rows[0]?.n
  }

  it('acknowledges a change when it is on the disk, and answers others meanwhile', async () => {
    const first = insert(1)
    expect(await count()).toBe(1)
    expect(disk.asked).toHaveLength(1)
    const [second, third] = [insert(2), insert(3)]
    expect(await count()).toBe(3)
    expect(await isSettled(first)).toBe(false)
    await disk.end()
    expect(await isSettled(first)).toBe(true)
    expect(await isSettled(second)).toBe(false)
    await disk.end()
    await Promise.all([second, third])
    expect(disk.asked.map((asked) => asked.split(' ')[0])).toEqual(['later', 'later'])
  })

  it('has the log on the disk before a checkpoint writes what it tells of', async () => {
    const first = insert(1)
    await count()
    const waiting = disk.asked.length
    await statements.exec('checkpoint')
    expect(disk.asked[waiting]).toMatch(/^now /)
    await disk.end()
    await first
  })

  /** A transaction that inserts, begun in a session that nobody else has. */
  async function inTransaction(n: number, how: 'commit' | 'rollback') {
    const leave = await statements.enter()
    const end = statements.begin()
    await statements.run('insert into public.notes values ($1)', [n], true)
    const { durable } = await end(how)
    leave()
    return { durable }
  }

  it('acknowledges a transaction when it is on the disk, and answers others meanwhile', async () => {
    const { durable } = await inTransaction(1, 'commit')
    expect(await count()).toBe(1)
    expect(disk.asked.map((asked) => asked.split(' ')[0])).toEqual(['later'])
    expect(await isSettled(durable as Promise<void>)).toBe(false)
    await disk.end()
    expect(await isSettled(durable as Promise<void>)).toBe(true)
  })

  it('waits for nothing where a transaction is rolled back', async () => {
    const { durable } = await inTransaction(1, 'rollback')
    expect(durable).toBeUndefined()
    expect(await count()).toBe(0)
    expect(disk.asked).toEqual([])
  })

  it('has the log on the disk before a file is cut', async () => {
    await statements.exec('insert into public.notes select generate_series(1, 3000)')
    const first = statements.run('delete from public.notes where n > $1', [0], false)
    await count()
    const waiting = disk.asked.length
    const cut = statements.run('vacuum (truncate) public.notes', [], false)
    await setImmediate()
    expect(disk.asked[waiting]).toMatch(/^now /)
    await disk.end()
    await disk.end()
    await Promise.all([first, cut])
  })
})
