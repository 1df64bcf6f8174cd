import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

function call(...args: string[]) {
  return spawnSync(process.execPath, ['bench/main.ts', ...args], { cwd: root, encoding: 'utf8' })
}

describe('npm run bench', () => {
  it('lists each bench with what it measures and how long it takes', () => {
    const lines = call('--list').stdout.trim().split('\n')
    expect(lines.length).toBeGreaterThan(30)
    for (const line of lines) expect(line).toMatch(/^[a-z-]+ {2,}\S.* \(.*(minute|hour).*\)$/)
  })

  it('names every bench that is there, and no other', () => {
    const source = readFileSync(`${root}/bench/main.ts`, 'utf8')
    const named = [...source.matchAll(/file: '(.+?)'/g)].map(([, file]) => file as string)
    for (const file of named) expect(existsSync(`${root}/bench/${file}`), file).toBe(true)
    const there = readdirSync(`${root}/bench`).filter((file) => file.endsWith('.ts') && file !== 'main.ts')
    expect(there.filter((file) => !named.includes(file))).toEqual([])
  })

  it("answers a bench's --help with what it measures, how it is called and its options", () => {
    const { status, stdout } = call('recall', '--help')
    expect(status).toBe(0)
    expect(stdout).toMatch(/^Evidence recall of the text endpoints/)
    expect(stdout).toContain('npm run bench -- recall --data dev.json')
    expect(stdout).toMatch(/^ {2}--together$/m)
    expect(stdout).toMatch(/^ {2}--seed VALUE {3}\(1\)$/m)
  })

  it.each([
    [['recall', '--no-such-option'], "Unknown option '--no-such-option' (--help shows how)\n"],
    [['recall'], '--data names the LoCoMo conversations, see bench/README.md. (--help shows how)\n'],
    [['no-such-bench'], 'There is no bench "no-such-bench" (--list names them)\n'],
  ])('says in one line what is wrong with %j', (args, message) => {
    const { status, stderr } = call(...args)
    expect(status).toBe(2)
    expect(stderr).toBe(message)
  })
})
