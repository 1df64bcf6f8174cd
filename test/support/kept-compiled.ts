import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const library = dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite'))

/**
 * The embedded database's code. As long as a process holds it, V8 gives each new database of the process what it has
 * compiled and optimized for those before; without it, it throws that away when the last database is closed.
 */
export const compiled = await WebAssembly.compile(readFileSync(join(library, 'pglite.wasm')))
