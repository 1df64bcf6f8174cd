import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PostgresPrograms } from '@memory/shared/platform/backup/postgres-programs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'memory-programs-'))
  for (const name of ['pg_dump', 'pg_restore']) {
    writeFileSync(join(folder, name), '#!/bin/sh\necho "$PGAPPNAME"\necho "$@"\n')
    chmodSync(join(folder, name), 0o755)
  }
})

afterAll(() => rmSync(folder, { recursive: true }))

describe('the programs of PostgreSQL', () => {
  // A restore ends the session that the program of a restore before it has left, which it finds by this name.
  it.each(['pg_dump', 'pg_restore'] as const)(
    'have sessions of the name %s, whatever the environment and the URL call sessions',
    async (name) => {
      const url = 'postgres://ada@127.0.0.1/memory?application_name=service&connect_timeout=3'
      const programs = new PostgresPrograms(url, { PATH: `${folder}:/usr/bin:/bin`, PGAPPNAME: 'other' })
      const said = await programs.run(name, ['--verbose'], { signal: new AbortController().signal })
      expect(said).toBe(
        `${name}\n--dbname=postgres://ada@127.0.0.1/memory?connect_timeout=3 --no-password --verbose\n`,
      )
    },
  )
})
