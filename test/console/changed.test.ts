import { expect, it } from 'vitest'
import { changedOf } from '../../apps/console/src/parts/changed.ts'

it('sends of a form only what somebody has changed in it', () => {
  const began = { url: 'https://example.com', events: ['a', 'b'], description: null as string | null, id: 1 }
  const { id, ...fields } = began
  expect(changedOf(began, { ...began, events: ['a', 'b'] })).toEqual({})
  expect(changedOf<typeof fields>(began, { ...fields, events: ['a'] })).toEqual({ events: ['a'] })
  expect(changedOf(began, { ...began, description: 'new', id: 2 })).toEqual({ description: 'new', id: 2 })
  expect(changedOf({ limit: 3 as number | null }, { limit: null })).toEqual({ limit: null })
})
