import { fsyncSync, writeSync } from 'node:fs'
import type { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'

/** The parts of the database's file system that are reached into; the exact version of the package is pinned. */
interface FileOperations {
  fsync?: (stream: { nfd: number }) => number
}
interface WasmModule {
  FS: { filesystems: { NODEFS: { stream_ops: FileOperations } } }
}

const ioError = 29

/**
 * The folder of an embedded database, with commits that reach the disk: the WebAssembly build has no fsync for real
 * files, so that PostgreSQL's own would do nothing and a power failure could take acknowledged writes with it.
 *
 * Where PostgreSQL gives up, because it can't write its log, the process ends: the library would go on running in a
 * circle for ever. The next start recovers what was committed.
 */
export class DurableFiles extends NodeFS {
  override async init(...[database, options]: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(database as PGlite, options)
    const addFsync = (module: unknown) => {
      ;(module as WasmModule).FS.filesystems.NODEFS.stream_ops.fsync = ({ nfd }) => {
        try {
          fsyncSync(nfd)
          return 0
        } catch {
          return -ioError
        }
      }
    }
    let reason = 'no reason is known'
    const ending = {
      printErr: (line: string) => {
        reason = /PANIC: +(.+)/.exec(line)?.[1] ?? reason
      },
      onAbort: () => {
        writeSync(
          process.stderr.fd,
          `The embedded database in ${this.rootDir} gave up (${reason}): put that right and start again, which finds all that was acknowledged; where its files are damaged, restore the folder from a backup.\n`,
        )
        process.exit(1)
      },
    }
    return {
      emscriptenOpts: {
        ...emscriptenOpts,
        ...ending,
        preRun: [...(emscriptenOpts.preRun ?? []), addFsync],
      },
    }
  }
}

/** fdatasync, the default, is a no-op of the WebAssembly library itself and never gets to the files. */
export const durableSettings = ['wal_sync_method=fsync']
