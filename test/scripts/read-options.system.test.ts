import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

function call(...args: string[]) {
  return spawnSync(process.execPath, ['bench/recall.ts', ...args], { cwd: root, encoding: 'utf8' })
}

describe('a benchmark', () => {
  it('answers --help with what it measures, how it is called and its options', () => {
    const { status, stdout } = call('--help')
    expect(status).toBe(0)
    expect(stdout).toMatch(/^Evidence recall of the text endpoints/)
    expect(stdout).toContain('npm run bench:recall -- --data dev.json')
    expect(stdout).toMatch(/^ {2}--together$/m)
    expect(stdout).toMatch(/^ {2}--seed VALUE {3}\(1\)$/m)
  })

  it.each([
    [['--no-such-option'], "Unknown option '--no-such-option' (--help shows how)\n"],
    [[], '--data names the LoCoMo conversations, see bench/README.md. (--help shows how)\n'],
  ])('says in one line what is wrong with %j', (args, message) => {
    const { status, stderr } = call(...args)
    expect(status).toBe(2)
    expect(stderr).toBe(message)
  })
})
