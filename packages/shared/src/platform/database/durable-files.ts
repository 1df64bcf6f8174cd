import { fsyncSync } from 'node:fs'
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
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), addFsync] } }
  }
}

/** fdatasync, the default, is a no-op of the WebAssembly library itself and never gets to the files. */
export const durableSettings = ['wal_sync_method=fsync']
