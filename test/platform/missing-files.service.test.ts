import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type FoundDatabase, openAsFound } from '@memory/shared/platform/database/embedded'
import { findMissingFiles } from '@memory/shared/platform/database/missing-files'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { plant } from '../support/plant.ts'

let folder: string
let directory: string
let found: FoundDatabase
/** The first file of the table of patterns. */
let file: string

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'memory-files-'))
  directory = join(folder, 'database')
  plant(directory)
  found = await openAsFound(directory)
  const [row] = await found.connection.query<{ path: string }>(
    "select pg_relation_filepath('app.patterns') as path",
  )
  file = join(directory, row?.path as string)
})
afterEach(async () => {
  await found.close()
  rmSync(folder, { recursive: true, force: true })
})

const missing = () => findMissingFiles(directory, found.connection)
const gibibyte = 2 ** 30
/** As a vacuum leaves it that has found so many bytes in the table. */
const counted = (bytes: number) =>
  found.connection.exec(
    `update pg_catalog.pg_class set relpages = ${Math.ceil(bytes / 8_192)} where oid = 'app.patterns'::regclass`,
  )

it('a file of a large table is missed at the end, as far as the pages were counted', async () => {
  await counted(gibibyte)
  expect(await missing()).toEqual([])
  await counted(2 * gibibyte + 1)
  expect(await missing()).toEqual(['app.patterns'])
  writeFileSync(`${file}.1`, '')
  expect(await missing()).toEqual(['app.patterns'])
  writeFileSync(`${file}.2`, '')
  expect(await missing()).toEqual([])
})

it('a file of a large table is missed before one that is there, whatever was counted', async () => {
  writeFileSync(`${file}.10`, '')
  expect(await missing()).toEqual(['app.patterns'])
  for (let number = 1; number < 10; number++) writeFileSync(`${file}.${number}`, '')
  expect(await missing()).toEqual([])
  rmSync(`${file}.9`)
  expect(await missing()).toEqual(['app.patterns'])
})

it('files of other kinds beside a table are no files of it', async () => {
  for (const end of ['_fsm', '_vm', '_init', '_fsm.3']) writeFileSync(`${file}${end}`, '')
  expect(await missing()).toEqual([])
})
