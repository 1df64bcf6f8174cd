import type { ImportState } from '@memory/shared/transfer/batches'
import type { Conversion } from '@memory/shared/transfer/formats/convert'
import { ifKept } from '../../parts/if-kept.ts'

// How far imports have come is kept in this browser, so that one that was stopped goes on.

interface Kept {
  of: string
  state: ImportState
}

const place = 'memory-imports'
/** Imports that are remembered, the newest of them. */
const keptMax = 20

/** Names an import: what is imported, how it is read, and where to. */
export function importName(file: File, conversion: Conversion | undefined, target: string): string {
  return JSON.stringify([target, file.name, file.size, file.lastModified, conversion ?? null])
}

export function newImport(): ImportState {
  const id = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  )
  return { import_id: id.join(''), offset: 0, line: 0, stored: 0, invalid: 0, expired: 0, complete: false }
}

/** How far an import came before; undefined for one that has not begun. */
export function findImport(of: string): ImportState | undefined {
  return readAll().find((each) => each.of === of)?.state
}

export function keepImport(of: string, state: ImportState): void {
  const others = readAll().filter((each) => each.of !== of)
  // A browser that keeps nothing imports all the same; what is stopped begins again then.
  ifKept(() => localStorage.setItem(place, JSON.stringify([{ of, state }, ...others].slice(0, keptMax))))
}

function readAll(): Kept[] {
  const found = ifKept<unknown>(() => JSON.parse(localStorage.getItem(place) ?? '[]'))
  return Array.isArray(found) ? (found as Kept[]) : []
}
