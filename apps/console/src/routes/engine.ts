import { createRoute } from '@tanstack/react-router'
import { conflictKinds, conflictStatuses, runKinds } from 'memory-service-sdk'
import { type ConflictsSearch, type EngineSearch, histories, type RunsSearch } from '../searches.ts'
import { within } from './inside.ts'
import { lazyPage } from './lazy-page.ts'
import { further, text } from './root.ts'

const conflicts = createRoute({
  ...within('conflicts'),
  validateSearch: ({ kind, state, cursor }: Record<string, unknown>): ConflictsSearch => ({
    kind: conflictKinds.find((each) => each === kind),
    state: conflictStatuses.filter((each) => each !== 'open').find((each) => each === state),
    cursor: text(cursor),
  }),
  component: lazyPage(() => import('../pages/engine/conflicts.tsx'), 'Conflicts'),
})

const engine = createRoute({
  ...within('engine'),
  validateSearch: ({ last }: Record<string, unknown>): EngineSearch => ({
    last: histories.find((each) => each === last),
  }),
  component: lazyPage(() => import('../pages/engine/engine.tsx'), 'Engine'),
})

const runs = createRoute({
  ...within('engine/runs'),
  validateSearch: ({ kind, cursor, candidates }: Record<string, unknown>): RunsSearch => ({
    kind: runKinds.find((each) => each === kind),
    cursor: text(cursor),
    candidates: further(candidates),
  }),
  component: lazyPage(() => import('../pages/engine/runs.tsx'), 'Runs'),
})

const spurious = createRoute({
  ...within('engine/spurious'),
  validateSearch: ({ page }: Record<string, unknown>): { page?: number } => ({ page: further(page) }),
  component: lazyPage(() => import('../pages/engine/spurious.tsx'), 'Spurious'),
})

const acceleration = createRoute({
  ...within('acceleration'),
  component: lazyPage(() => import('../pages/engine/acceleration.tsx'), 'Acceleration'),
})

/** How the space learns, sleeps and fares. */
export const enginePages = [conflicts, engine, runs, spurious, acceleration] as const
