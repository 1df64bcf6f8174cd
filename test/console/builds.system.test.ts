import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const repository = fileURLToPath(new URL('../..', import.meta.url))

describe('builds of the console at the same time', () => {
  let folder: string
  let console: string

  /** A console of one page and a part that it loads later. */
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'memory-builds-'))
    console = join(folder, 'apps', 'console')
    mkdirSync(join(console, 'src'), { recursive: true })
    for (const name of ['scripts', 'index.html', 'src/icon.svg']) {
      cpSync(join(repository, 'apps', 'console', name), join(console, name), { recursive: true })
    }
    symlinkSync(join(repository, 'node_modules'), join(folder, 'node_modules'))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  /** Writes the page, and builds it so many times at once. */
  async function buildAtOnce(text: string, times: number): Promise<void> {
    writeFileSync(join(console, 'src', 'main.tsx'), `import('./later.ts').then(({ say }) => say('${text}'))`)
    writeFileSync(
      join(console, 'src', 'later.ts'),
      `export const say = (text: string) => { document.title = text }`,
    )
    const builds = Array.from({ length: times }, () =>
      spawn(process.execPath, [join(console, 'scripts', 'build.mjs')], {
        stdio: ['ignore', 'ignore', 'inherit'],
      }),
    )
    expect(await Promise.all(builds.map(ended))).toEqual(builds.map(() => 0))
  }

  const ended = async (build: ChildProcess) => ((await once(build, 'exit')) as [number | null])[0]

  /** What is there is whole, and of this text; nothing else is left. */
  function expectWhole(text: string): void {
    const built = (pattern: string) => globSync(pattern, { cwd: join(console, 'dist') }).sort()
    const read = (name: string) => readFileSync(join(console, 'dist', name))
    const scripts = built('assets/*.js')
    expect(scripts).toHaveLength(2)
    const page = read('index.html').toString()
    const [main] = scripts.filter((name) => page.includes(name))
    expect(read(main as string).toString()).toContain(text)
    for (const name of [...scripts, ...built('assets/*.svg')]) {
      expect(brotliDecompressSync(read(`${name}.br`))).toEqual(read(name))
      expect(gunzipSync(read(`${name}.gz`))).toEqual(read(name))
    }
    expect(built('.sources')).toEqual(['.sources'])
    expect(globSync('.dist*', { cwd: console })).toEqual([])
  }

  it('leave one whole, the first as well as one in the place of another', async () => {
    await buildAtOnce('the first', 3)
    expectWhole('the first')
    await buildAtOnce('the second', 3)
    expectWhole('the second')
  })
})
