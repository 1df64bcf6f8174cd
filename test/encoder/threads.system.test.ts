import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'

it('lets the process end with its own exit code while another thread encodes', () => {
  const script = fileURLToPath(new URL('./exit-while-encoding.ts', import.meta.url))
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const { status, signal } = spawnSync(process.execPath, [script], { cwd: root })
  expect({ status, signal }).toEqual({ status: 3, signal: null })
})

it.each([
  [undefined, /would report to the maker of its runtime/],
  ['0', /would report to the maker of its runtime/],
  ['1', undefined],
])('is not loaded by a thread whose process lets its runtime report (%s)', async (value, refusal) => {
  const encoder = new URL('../../packages/engine/src/encoder/encoder.ts', import.meta.url)
  const thread = new Worker(`import(${JSON.stringify(encoder.href)})`, {
    eval: true,
    env: value === undefined ? {} : { ORT_DISABLE_TELEMETRY: value },
  })
  const fault = await new Promise<Error | undefined>((resolve) => {
    thread.once('error', resolve)
    thread.once('exit', () => resolve(undefined))
  })
  if (refusal === undefined) expect(fault).toBeUndefined()
  else expect(fault?.message).toMatch(refusal)
})
