import { createRootRoute, Outlet, retainSearchParams } from '@tanstack/react-router'
import { FailureAlone } from '../frame/failure.tsx'
import { Missing } from '../frame/missing.tsx'
import type { Place } from '../session/client.ts'

/** The router reads what looks like JSON in an address as JSON: a filter, or a number that is looked for. */
export const text = (value: unknown): string | undefined =>
  value === undefined || value === '' ? undefined : typeof value === 'string' ? value : JSON.stringify(value)

export const root = createRootRoute({
  component: Outlet,
  notFoundComponent: Missing,
  errorComponent: FailureAlone,
  validateSearch: ({ org, space }: Record<string, unknown>): Place => ({
    org: text(org),
    space: space === 'test' ? space : undefined,
  }),
  search: { middlewares: [retainSearchParams(['org', 'space'])] },
})

/** A page of a list that the browser has whole, from the second on. */
export const further = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 1 ? value : undefined
