import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assetOf, builtAsset } from '@memory/api/http/asset'
import { afterAll, expect, it } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'memory-asset-'))
afterAll(() => rmSync(folder, { recursive: true }))

it.each([
  ['of the console', (path: string) => builtAsset('text/javascript', path)],
  ['that is made', () => assetOf('text/plain', () => Buffer.from('made'))],
])('a file %s has its bytes in memory once, however many ask for it', async (_what, open) => {
  const path = join(folder, 'main.js')
  writeFileSync(path, 'built')
  const asset = open(path)
  const [one, other] = await Promise.all([asset.encoded('identity'), asset.encoded('identity')])
  expect(other.bytes).toBe(one.bytes)
  expect((await asset.encoded('identity')).bytes).toBe(one.bytes)
})

it('a file of the console that was not there yet is read once it is', async () => {
  const path = join(folder, 'later.js')
  const asset = builtAsset('text/javascript', path)
  await expect(asset.encoded('identity')).rejects.toThrow('ENOENT')
  writeFileSync(path, 'built')
  expect((await asset.encoded('identity')).bytes.toString()).toBe('built')
})
