import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { renderPython } from '../../packages/python/scripts/generate.ts'

it('the Python client has the methods and types of the OpenAPI document: `npm run build:python` writes them', async () => {
  for (const [file, text] of await renderPython()) {
    expect(existsSync(file) ? readFileSync(file, 'utf8') : '', file.pathname).toBe(text)
  }
})

it('the Python client has the licence of the repository, which its archives need in their own folder', () => {
  const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
  expect(read('packages/python/LICENSE')).toBe(read('LICENSE'))
})
