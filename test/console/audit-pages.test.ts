import { expect, it } from 'vitest'
import { entriesOnPage, nextOf, pagesInARow } from '../../apps/console/src/pages/organization/audit-pages.ts'
import { limits } from '../../packages/shared/src/catalogue/limits.ts'

const entries = [{ timestamp: '2026-03-01T10:00:00.500Z' }, { timestamp: '2026-03-01T10:00:00.123Z' }]

it('the audit log is paged by number as deep as the service goes, and on by time', () => {
  expect(nextOf(1, entries)).toEqual({ page: 2 })
  expect(nextOf(pagesInARow - 1, entries)).toEqual({ page: pagesInARow })
  expect(nextOf(pagesInARow, entries)).toEqual({ page: undefined, until: '2026-03-01T10:00:00.124Z' })
  expect(entriesOnPage * pagesInARow).toBeLessThanOrEqual(limits.auditDepth)
})
