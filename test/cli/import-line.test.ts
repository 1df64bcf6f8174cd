import { parseLine as ofCommand } from '@memory/cli/import-line'
import { protectedCategories } from '@memory/engine/categories/categories'
import * as sdk from 'memory-service-sdk'
import { describe, expect, it } from 'vitest'
import { parseLine as ofConsole } from '../../apps/console/src/pages/data/import-source.ts'

describe.each([
  ['command', ofCommand],
  ['console', ofConsole],
])('what a line says of protection, as the %s reads it', (_, parseLine) => {
  function sentOf(line: object): unknown {
    const bytes = new TextEncoder().encode(JSON.stringify({ text: 'A fact.', ...line }))
    const parsed = parseLine({ number: 1, end: bytes.length, bytes }, Date.now())
    expect(parsed.kind).toBe('item')
    return parsed.kind === 'item' ? JSON.parse(parsed.item.json).protected : undefined
  }
  const old = { pattern_id: 'pat_01kagw5zdpk2r4f9m0x7y3v8qe' }
  const health = { metadata: { category: 'health' } }
  const marked = { metadata: { protected: true } }

  it.each<[string, object, unknown]>([
    ['of no export', { protected: false }, false],
    ['of no export, as what follows', { protected: true, ...health }, true],
    ['of no export, and nothing', {}, undefined],
    ['that nothing was said', { ...old, asked_protected: null }, undefined],
    [
      'as lists of patterns do, that nothing was said',
      { ...old, protected: true, asked_protected: null, ...marked },
      undefined,
    ],
    ['that it was said', { ...old, protected: false, asked_protected: false }, false],
    [
      'that it was said as it follows',
      { ...old, protected: true, asked_protected: true, category: 'health' },
      true,
    ],
    ['of before: what follows', { ...old, protected: false }, undefined],
    [
      'of before: what follows of another category',
      { ...old, protected: false, category: 'finance' },
      undefined,
    ],
    ['of before: what follows of no category', { ...old, protected: false, category: null }, undefined],
    ['of before: what follows of its category', { ...old, protected: true, category: 'religion' }, undefined],
    [
      'of before: what follows of the category in its metadata',
      { ...old, protected: true, ...health },
      undefined,
    ],
    ['of before: what follows of its metadata', { ...old, protected: true, ...marked }, undefined],
    ['of before: another than its category', { ...old, protected: false, category: 'religion' }, false],
    ['of before: another than its metadata', { ...old, protected: false, ...marked }, false],
    ['of before: another than its metadata’s category', { ...old, protected: false, ...health }, false],
    ['of before: what follows of nothing', { ...old, protected: true }, true],
    [
      'of before: what metadata do not say',
      { ...old, protected: true, metadata: { protected: 'true', category: ['health'] } },
      true,
    ],
  ])('%s', (_, line, sent) => {
    expect(sentOf(line)).toBe(sent)
  })
})

it('the client knows which categories the service protects', () => {
  expect(sdk.protectedCategories).toEqual(protectedCategories)
})
