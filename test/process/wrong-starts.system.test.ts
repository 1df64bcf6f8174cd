import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { run } from './service-process.ts'
import { copyGround, type Ground, makeGround, wrongStarts } from './wrong-starts.ts'

let ground: Ground

beforeAll(async () => {
  ground = await makeGround()
})

afterAll(() => rmSync(ground.folder, { recursive: true, force: true }))

/** Every file below a folder, with its contents. */
function contentsOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => {
      const path = join(folder, name)
      const isFile = statSync(path).isFile()
      return `${name} ${isFile ? createHash('sha256').update(readFileSync(path)).digest('hex') : ''}`
    })
}

/** The sentence, with … for whatever is different each time. */
function pattern(sentence: string): RegExp {
  const parts = sentence.split('…').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('.+')}\n$`)
}

describe('a start that can not succeed says why in one sentence, and changes nothing', () => {
  it.each(wrongStarts.map((start, n) => ({ ...start, n })))(
    '$wrong',
    async ({ sentence, script = 'api', args = [], arrange, opensDatabase, n }) => {
      const own = copyGround(ground, String(n))
      const { settings = {}, end } = await arrange(own)
      const before = contentsOf(own.dataDir)
      try {
        const { code, stdout, stderr } = await run(`apps/${script}/src/main.ts`, args, {
          ...{ MEMORY_DATA_DIR: own.dataDir, MEMORY_POOL_THREADS: '1', PORT: '0', OPS_PORT: '0' },
          ...settings,
        })
        expect(stderr).toMatch(pattern(sentence))
        expect(code).toBe(1)
        expect(stdout).not.toContain('"msg":"ready"')
        if (!opensDatabase) expect(contentsOf(own.dataDir)).toEqual(before)
      } finally {
        end?.()
      }
    },
    60_000,
  )
})

it('operating.md shows each of them, and no other', () => {
  const page = readFileSync(fileURLToPath(new URL('../../docs/operating.md', import.meta.url)), 'utf8')
  const [, section = ''] = page.split('\n## When it does not start\n')
  const rows = section
    .split('\n## ')[0]
    ?.split('\n')
    .filter((line) => line.startsWith('| '))
  expect(rows?.slice(1)).toEqual(wrongStarts.map(({ wrong, sentence }) => `| ${wrong} | ${sentence} |`))
})
