import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { takeDataDirectory } from '@memory/shared/platform/data-directory'
import { openDataDirectory } from '@memory/shared/platform/database/embedded'
import { openSecrets } from '@memory/shared/platform/master-key'
import { freePort } from '../../scripts/free-port.ts'

/** What a case of the table finds: a data directory with a database of its own, and a folder for what else it needs. */
export interface Ground {
  folder: string
  dataDir: string
  databaseDir: string
}

export interface WrongStart {
  /** What is wrong, in the words of the page on operating. */
  wrong: string
  /** All that is printed; … stands for what is different each time. */
  sentence: string
  script?: 'api' | 'worker'
  args?: string[]
  /** Makes it wrong. @returns the settings that it is started with, and what puts an end to it */
  arrange: (ground: Ground) => Promise<Arranged> | Arranged
  /** The database is opened to see it, which writes to it as any start does. */
  opensDatabase?: true
}

interface Arranged {
  settings?: Record<string, string>
  end?: () => void
}

const withSettings = (settings: Record<string, string>) => () => ({ settings })
/** Nobody listens there. */
const nowhere = async (protocol: string) => `${protocol}://nobody@127.0.0.1:${await freePort()}`
const cannotOpen = (reason: string) =>
  `The embedded database in … can't be opened (${reason}): restore the folder from a backup, or set MEMORY_DATA_DIR to another one.`
const cannotUse = (code: string) =>
  `The data directory … can't be used (${code}): set MEMORY_DATA_DIR to a folder that this user may write to.`

/** Starts that can not succeed, with the sentence that each ends with: `docs/operating.md` shows them. */
export const wrongStarts: readonly WrongStart[] = [
  {
    wrong: 'another program has the port',
    sentence: 'Port … is in use: stop what listens there, or set PORT to another port.',
    arrange: async () => {
      const port = await freePort()
      const blocker = createServer()
      await new Promise<void>((done) => blocker.listen(port, '127.0.0.1', done))
      return { settings: { PORT: String(port) }, end: () => blocker.close() }
    },
  },
  {
    wrong: 'another program has the port for operators',
    sentence: 'Port … is in use: stop what listens there, or set OPS_PORT to another port.',
    arrange: async () => {
      const port = await freePort()
      const blocker = createServer()
      await new Promise<void>((done) => blocker.listen(port, '127.0.0.1', done))
      return { settings: { OPS_PORT: String(port) }, end: () => blocker.close() }
    },
    opensDatabase: true,
  },
  {
    wrong: 'a value that the setting does not have',
    sentence: 'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent.',
    arrange: withSettings({ LOG_LEVEL: 'loud' }),
  },
  {
    wrong: 'a misspelt setting',
    sentence:
      'MEMORY_INDEX_BUGDET is no setting, but almost MEMORY_INDEX_BUDGET: rename it, or set MEMORY_INDEX_BUDGET too where MEMORY_INDEX_BUGDET is for another program.',
    arrange: withSettings({ MEMORY_INDEX_BUGDET: '4096' }),
  },
  {
    wrong: 'an argument, which it does not read',
    sentence:
      '--port is not known: settings are environment variables, such as PORT=8010 (--help lists them).',
    args: ['--port', '8010'],
    arrange: () => ({}),
  },
  {
    wrong: 'open to other machines without TLS',
    sentence:
      "HOST 0.0.0.0 is reachable from other machines and nothing says that TLS is in front: set TRUSTED_PROXIES to the proxy's address, or MEMORY_ALLOW_PLAINTEXT=yes to accept plain HTTP.",
    arrange: withSettings({ HOST: '0.0.0.0' }),
  },
  {
    wrong: 'an address for operators that this machine does not have',
    sentence: 'This machine has no address 192.0.2.1: set OPS_HOST to one it has.',
    arrange: withSettings({ OPS_HOST: '192.0.2.1', OPS_PORT: '8001' }),
  },
  {
    wrong: 'a mail server, but no sender',
    sentence: 'MAIL_FROM is needed with SMTP_URL: set it to the address that mails come from.',
    arrange: withSettings({ SMTP_URL: 'smtp://127.0.0.1:2525' }),
  },
  {
    wrong: 'a data folder that nothing can be written to, such as `/proc`',
    sentence: cannotUse('ENOENT'),
    arrange: withSettings({ MEMORY_DATA_DIR: '/proc' }),
  },
  {
    wrong: 'the same beside `DATABASE_URL`',
    sentence: cannotUse('ENOENT'),
    arrange: async () => ({
      settings: { MEMORY_DATA_DIR: '/proc/memory', DATABASE_URL: await nowhere('postgres') },
    }),
  },
  {
    wrong: 'a data folder that is a file',
    sentence: cannotUse('EEXIST'),
    arrange: ({ folder }) => {
      writeFileSync(join(folder, 'file'), 'mine')
      return { settings: { MEMORY_DATA_DIR: join(folder, 'file') } }
    },
  },
  {
    wrong: 'a data folder that another process works on',
    sentence:
      'The data directory … is in use by process …: stop it first, or set MEMORY_DATA_DIR to another folder.',
    arrange: ({ dataDir }) => {
      const { release } = takeDataDirectory(dataDir)
      return { end: release }
    },
  },
  {
    wrong: 'a data folder of another PostgreSQL',
    sentence:
      'The embedded database in … is of PostgreSQL 17, and this release has 18: bring what is in it over by an export (docs/upgrading.md), or set MEMORY_DATA_DIR to another folder.',
    arrange: ({ databaseDir }) => {
      writeFileSync(join(databaseDir, 'PG_VERSION'), '17\n')
      return {}
    },
  },
  {
    wrong: 'a data folder without its version, as after an incomplete restore',
    sentence: cannotOpen('it holds files, but no PG_VERSION'),
    arrange: ({ databaseDir }) => {
      rmSync(join(databaseDir, 'PG_VERSION'))
      return {}
    },
  },
  {
    wrong: 'a data folder that lacks the files of tables',
    sentence: cannotOpen('the files of … and … more are missing'),
    arrange: ({ databaseDir }) => {
      // Tables of ours have the largest numbers; without those of the catalog PostgreSQL does not open.
      const files = readdirSync(join(databaseDir, 'base', '5')).filter((name) => /^\d+$/.test(name))
      for (const name of files.toSorted((a, b) => Number(b) - Number(a)).slice(0, 20)) {
        rmSync(join(databaseDir, 'base', '5', name))
      }
      return {}
    },
    opensDatabase: true,
  },
  {
    wrong: 'a data folder without its master key, which backups keep apart',
    sentence:
      'There is no master key, and the database’s secrets open with it alone: put the key that was kept apart into …/master-key, or set MASTER_KEY to it.',
    arrange: ({ dataDir }) => {
      rmSync(join(dataDir, 'master-key'))
      return {}
    },
    opensDatabase: true,
  },
  {
    wrong: 'a folder in the place of the master key, as containers make of what they do not find',
    sentence:
      'The master key …/master-key is a folder: put the file with the key there, as this user may read it, or set MASTER_KEY to the key.',
    arrange: ({ dataDir }) => {
      rmSync(join(dataDir, 'master-key'))
      mkdirSync(join(dataDir, 'master-key'))
      return {}
    },
    opensDatabase: true,
  },
  {
    wrong: 'a master key that is another one',
    sentence:
      'The master key is not the one that this database’s secrets were sealed under: set MASTER_KEY to that key (after a change, to the new key, a comma and the old one).',
    arrange: withSettings({ MASTER_KEY: Buffer.alloc(32, 9).toString('base64') }),
    opensDatabase: true,
  },
  {
    wrong: 'an encoder that is not there',
    sentence:
      "The encoder's file model.onnx is missing in …: put model.onnx, model.onnx.data, tokenizer.json and tokenizer_config.json there, or set MEMORY_ENCODER_DIR to a directory that has them.",
    arrange: ({ folder }) => ({ settings: { MEMORY_ENCODER_DIR: join(folder, 'no-models') } }),
    opensDatabase: true,
  },
  {
    wrong: 'PostgreSQL is away',
    sentence: "The database at DATABASE_URL can't be used: connect ECONNREFUSED ….",
    arrange: async () => ({ settings: { DATABASE_URL: `${await nowhere('postgres')}/memory` } }),
  },
  {
    wrong: 'PostgreSQL without a master key',
    sentence:
      'MASTER_KEY is needed with DATABASE_URL: set it to 32 random bytes in base64 (openssl rand -base64 32) and keep it, because the database’s secrets open with it alone.',
    arrange: async () => ({ settings: { DATABASE_URL: await nowhere('postgres'), MASTER_KEY: '' } }),
  },
  {
    wrong: 'Redis is away',
    sentence:
      "Redis at REDIS_URL can't be used (connect ECONNREFUSED …): start it, mend the address, or take REDIS_URL away to keep jobs in the database.",
    arrange: async () => ({ settings: { REDIS_URL: await nowhere('redis') } }),
  },
  {
    wrong: 'a worker of its own without PostgreSQL',
    sentence:
      'A worker of its own needs DATABASE_URL: with the embedded database npm start does the background work itself.',
    script: 'worker',
    arrange: () => ({}),
  },
]

/** A data directory with a database in it, as a first start leaves it. */
export async function makeGround(): Promise<Ground> {
  const folder = mkdtempSync(join(tmpdir(), 'memory-wrong-'))
  const dataDir = join(folder, 'data')
  const database = await openDataDirectory(dataDir)
  await openSecrets(database.queries, { masterKeys: undefined, dataDir })
  await database.close()
  return { folder, dataDir, databaseDir: join(dataDir, 'database') }
}

/** The same for one case alone. */
export function copyGround({ folder, dataDir }: Ground, name: string): Ground {
  const own = join(folder, name)
  mkdirSync(own)
  cpSync(dataDir, join(own, 'data'), { recursive: true })
  return { folder: own, dataDir: join(own, 'data'), databaseDir: join(own, 'data', 'database') }
}
