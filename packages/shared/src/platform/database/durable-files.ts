import { writeSync } from 'node:fs'
import type { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { type FileSync, LogSync, onDisk } from './log-sync.ts'

/** An open file of the database. */
interface Stream {
  /** Within the database's own file system. */
  path: string
  /** Descriptor of the real file. */
  nfd: number
}

/** The parts of the database's file system that are reached into; the exact version of the package is pinned. */
interface FileSystem {
  stream_ops: {
    fsync?: (stream: Stream) => number
    write(stream: Stream, ...what: unknown[]): number
    /** Changes attributes of a file, its length among them. */
    setattr(stream: Stream, ...what: unknown[]): void
    close(stream: Stream): void
  }
  node_ops: Record<'setattr' | 'rename' | 'unlink' | 'rmdir', (...what: unknown[]) => unknown>
}
interface WasmModule {
  FS: { filesystems: { NODEFS: FileSystem } }
}

const ioError = 29

/** Segments of the log that are in use; what becomes one, or was one, has another name. */
const isLog = ({ path }: Stream) => /\/pg_wal\/[0-9A-F]{24}$/.test(path)

/**
 * The folder of an embedded database, with commits that reach the disk: the WebAssembly build has no fsync for real
 * files, so that PostgreSQL's own would do nothing and a power failure could take acknowledged writes with it.
 *
 * Where PostgreSQL gives up, because it can't write its log, the process ends: the library would go on running in a
 * circle for ever. The next start recovers what was committed.
 */
export class DurableFiles extends NodeFS {
  /** Statements that put the log's sync off wait for it themselves. */
  readonly log: LogSync

  /** @param sync how files are brought to the disk; tests give their own */
  constructor(directory: string, sync: FileSync = onDisk) {
    super(directory)
    const giveUp = (error: unknown) => this.#giveUp(error instanceof Error ? error.message : String(error))
    this.log = new LogSync(giveUp, sync)
  }

  override async init(...[database, options]: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(database as PGlite, options)
    let reason = 'no reason is known'
    const ending = {
      printErr: (line: string) => {
        reason = /PANIC: +(.+)/.exec(line)?.[1] ?? reason
      },
      onAbort: () => this.#giveUp(reason),
    }
    const reach = (module: unknown) => this.#reachInto((module as WasmModule).FS.filesystems.NODEFS)
    return {
      emscriptenOpts: { ...emscriptenOpts, ...ending, preRun: [...(emscriptenOpts.preRun ?? []), reach] },
    }
  }

  /** Adds the sync, and keeps the order in which files reach the disk: the log before what it tells of. */
  #reachInto({ stream_ops: streams, node_ops: nodes }: FileSystem): void {
    const { log } = this
    const { write, setattr, close } = streams
    streams.fsync = (stream) => {
      if (isLog(stream) && log.request(stream.nfd)) return 0
      try {
        if (!isLog(stream)) log.before()
        log.now(stream.nfd)
        return 0
      } catch {
        return -ioError
      }
    }
    streams.write = (stream, ...what) => {
      if (!isLog(stream)) log.before()
      return write(stream, ...what)
    }
    streams.setattr = (stream, ...what) => {
      if (!isLog(stream)) log.before()
      setattr(stream, ...what)
    }
    streams.close = (stream) => {
      if (isLog(stream)) log.before()
      close(stream)
      log.closed(stream.nfd)
    }
    for (const name of ['setattr', 'rename', 'unlink', 'rmdir'] as const) {
      const change = nodes[name]
      nodes[name] = (...what) => {
        log.before()
        return change(...what)
      }
    }
  }

  #giveUp(reason: string): never {
    writeSync(
      2,
      `The embedded database in ${this.rootDir} gave up (${reason}): put that right and start again, which finds all that was acknowledged; where its files are damaged, restore the folder from a backup.\n`,
    )
    process.exit(1)
  }
}

/** fdatasync, the default, is a no-op of the WebAssembly library itself and never gets to the files. */
export const durableSettings = ['wal_sync_method=fsync']
