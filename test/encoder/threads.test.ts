import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

it('lets the process end with its own exit code while another thread encodes', () => {
  const script = fileURLToPath(new URL('./exit-while-encoding.ts', import.meta.url))
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const { status, signal } = spawnSync(process.execPath, [script], { cwd: root })
  expect({ status, signal }).toEqual({ status: 3, signal: null })
})
