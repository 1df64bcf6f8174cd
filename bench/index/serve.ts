/** What a candidate's process does, as index_peers.py does for others: `candidate.ts` starts it. */
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { residentMemory } from '../support/process-use.ts'
import type { Built, Pass } from './candidate.ts'

/** Rows that every search asks for. */
export const k = 10
/** Queries before the clock runs. */
const warmUp = 20

/** What the process was asked to build, and is asked. */
export interface Asked {
  kind: string
  dimensions: number
  /** Views of one array that they fill. */
  rows: Float32Array[]
}

/** What a search found. */
export interface Answer {
  /** Best first. */
  labels: number[]
  /** Rows whose keys had to be fetched to put the result in order. */
  fetched?: number
}

export interface Setting {
  /** As `Pass`. */
  setting: string
  search(query: Float32Array): Answer
}

/** A built index. */
export interface Index {
  settings: Setting[]
  /** What it says that it holds. */
  ownBytes: number
  /** Whether searches read `rows`; if not they make room, since all candidates are in memory at a time. */
  readsRows: boolean
}

/** Builds an index of the rows named by the arguments, says what that took, and measures when it is told to. */
export async function serve(build: (asked: Asked) => Promise<Index> | Index): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { rows: { type: 'string' }, queries: { type: 'string' }, dimensions: { type: 'string' } },
  })
  const dimensions = Number(values.dimensions)
  const queries = rowsOf(readNumbers(values.queries as string), dimensions)
  const rows = rowsOf(readNumbers(values.rows as string), dimensions)
  const before = resident()
  const started = performance.now()
  const { settings, ownBytes, readsRows } = await build({
    kind: positionals[0] as string,
    dimensions,
    rows,
  })
  const buildMs = performance.now() - started
  const built: Built = { buildMs, residentBytes: resident() - before, ownBytes }
  if (!readsRows) rows.length = 0
  process.stdout.write(`${JSON.stringify(built)}\n`)
  for await (const _ of createInterface({ input: process.stdin })) {
    const passes = settings.map((setting) => measure(setting, queries))
    process.stdout.write(`${JSON.stringify(passes)}\n`)
  }
}

function rowsOf(values: Float32Array, dimensions: number): Float32Array[] {
  return Array.from({ length: values.length / dimensions }, (_, row) =>
    values.subarray(row * dimensions, (row + 1) * dimensions),
  )
}

function measure({ setting, search }: Setting, queries: readonly Float32Array[]): Pass {
  const pass: Pass = { setting, ms: [], found: [] }
  for (const query of queries.slice(0, warmUp)) search(query)
  for (const query of queries) {
    const since = performance.now()
    const { labels, fetched } = search(query)
    pass.ms.push(performance.now() - since)
    pass.found.push(labels)
    if (fetched !== undefined) pass.fetched = (pass.fetched ?? 0) + fetched / queries.length
  }
  return pass
}

function readNumbers(path: string): Float32Array {
  const { buffer, byteOffset, byteLength } = readFileSync(path)
  return new Float32Array(buffer, byteOffset, byteLength / 4)
}

function resident(): number {
  globalThis.gc?.()
  return residentMemory(process.pid).now * 2 ** 20
}
