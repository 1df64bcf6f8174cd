import { writeSync } from 'node:fs'
import type { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { type FileSync, onDisk, WalSync } from './wal-sync.ts'

/** An open file of the database. */
interface Stream {
  /** The path within the database's virtual file system. */
  path: string
  /** The descriptor of the real file. */
  nfd: number
}

/** Internals of PGlite's file system that are patched here; this is safe because the package's exact version is pinned. */
interface FileSystem {
  stream_ops: {
    fsync?: (stream: Stream) => number
    write(stream: Stream, ...what: unknown[]): number
    /** Changes attributes of a file, such as its length. */
    setattr(stream: Stream, ...what: unknown[]): void
    close(stream: Stream): void
  }
  node_ops: Record<'setattr' | 'rename' | 'unlink' | 'rmdir', (...what: unknown[]) => unknown>
}
interface WasmModule {
  FS: { filesystems: { NODEFS: FileSystem } }
}

/** The error number EIO of WebAssembly's libc. */
const ioError = 29

/** Whether a file is a segment of the write-ahead log that is in use; new and old segments have other names. */
const isWal = ({ path }: Stream) => /\/pg_wal\/[0-9A-F]{24}$/.test(path)

/**
 * The file system of an embedded database, with working fsync. PGlite's WebAssembly build has none for real files:
 * PostgreSQL's fsync would do nothing, and a power failure could lose acknowledged writes.
 *
 * When PostgreSQL panics because it can't write its log, this ends the process, since the library would loop for ever. The
 * next start recovers everything that was committed.
 */
export class DurableFiles extends NodeFS {
  /** Syncs the write-ahead log, at once or later. */
  readonly wal: WalSync

  /** @param sync how files are written durably to the disk; tests replace it */
  constructor(directory: string, sync: FileSync = onDisk) {
    super(directory)
    const giveUp = (error: unknown) => this.#giveUp(error instanceof Error ? error.message : String(error))
    this.wal = new WalSync(giveUp, sync)
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

  /** Adds fsync, and makes sure that the log reaches the disk before any other file changes (write-ahead logging). */
  #reachInto({ stream_ops: streams, node_ops: nodes }: FileSystem): void {
    const { wal } = this
    const { write, setattr, close } = streams
    streams.fsync = (stream) => {
      if (isWal(stream) && wal.request(stream.nfd)) return 0
      try {
        if (!isWal(stream)) wal.before()
        wal.now(stream.nfd)
        return 0
      } catch {
        return -ioError
      }
    }
    streams.write = (stream, ...what) => {
      if (!isWal(stream)) wal.before()
      return write(stream, ...what)
    }
    streams.setattr = (stream, ...what) => {
      if (!isWal(stream)) wal.before()
      setattr(stream, ...what)
    }
    streams.close = (stream) => {
      if (isWal(stream)) wal.before()
      close(stream)
      wal.closed(stream.nfd)
    }
    for (const name of ['setattr', 'rename', 'unlink', 'rmdir'] as const) {
      const change = nodes[name]
      nodes[name] = (...what) => {
        wal.before()
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

/** PostgreSQL's default, fdatasync, is a no-op in the WebAssembly library and would not reach the `fsync` above. */
export const durableSettings = ['wal_sync_method=fsync']
