import { namesOf } from '@memory/engine/recall/names-of-query'
import { afterEach, expect, it, vi } from 'vitest'

afterEach(() => {
  vi.unstubAllGlobals()
})

const ids = Array.from({ length: 900 }, (_, i) => `RX-${2209 + i}`)

it('makes no more patterns than names are looked for, however many a query has', () => {
  let made = 0
  vi.stubGlobal(
    'RegExp',
    class extends RegExp {
      constructor(source: string, flags?: string) {
        super(source, flags)
        made++
      }
    },
  )
  expect(namesOf(ids.join(' ')).map(({ name }) => name)).toHaveLength(16)
  expect(made).toBe(16)
})

it('takes the first names', () => {
  const [first, ...others] = namesOf(ids.join(' '))
  expect(first?.isIn('rx-2209 is paid')).toBe(true)
  expect(others.some(({ isIn }) => isIn('rx-2209 is paid'))).toBe(false)
})
