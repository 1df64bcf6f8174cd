import { createRoute, redirect } from '@tanstack/react-router'
import {
  type DataSearch,
  type Forgetting,
  forgettings,
  type MapSearch,
  type MemoriesSearch,
  mapColourings,
  type PlaygroundSearch,
  ways,
} from '../searches.ts'
import { within } from './inside.ts'
import { lazyPage } from './lazy-page.ts'
import { text } from './root.ts'

const overview = createRoute({
  ...within('/'),
  component: lazyPage(() => import('../pages/home/overview.tsx'), 'Overview'),
})

const start = createRoute({
  ...within('start'),
  component: lazyPage(() => import('../pages/home/start.tsx'), 'Start'),
})

const memories = createRoute({
  ...within('memories'),
  validateSearch: (given: Record<string, unknown>): MemoriesSearch => ({
    way: ways.find((each) => each === given.way),
    q: text(given.q),
    subject: text(given.subject),
    filter: text(given.filter),
    all: given.all === true ? true : undefined,
    cursor: text(given.cursor),
  }),
  component: lazyPage(() => import('../pages/memories/memories.tsx'), 'Memories'),
})

const memory = createRoute({
  ...within('memories/$id'),
  component: lazyPage(() => import('../pages/memories/memory.tsx'), 'Memory'),
})

const subjects = createRoute({
  ...within('subjects'),
  validateSearch: ({ prefix, cursor }: Record<string, unknown>): { prefix?: string; cursor?: string } => ({
    prefix: text(prefix),
    cursor: text(cursor),
  }),
  component: lazyPage(() => import('../pages/memories/subjects.tsx'), 'Subjects'),
})

const subject = createRoute({
  ...within('subjects/one'),
  // In a path, the name `..` would be none, nor would the spaces be of one that ends with them.
  validateSearch: ({ of }: Record<string, unknown>): { of: string } => ({ of: text(of) ?? '' }),
  beforeLoad: ({ search }) => {
    if (search.of === '') throw redirect({ to: '/subjects' })
  },
  component: lazyPage(() => import('../pages/memories/subject.tsx'), 'Subject'),
})

const forget = createRoute({
  ...within('forget'),
  validateSearch: ({ by, of }: Record<string, unknown>): { by?: Forgetting; of?: string } => ({
    by: forgettings.find((each) => each === by),
    of: text(of),
  }),
  component: lazyPage(() => import('../pages/memories/forget.tsx'), 'Forget'),
})

const playground = createRoute({
  ...within('playground'),
  validateSearch: ({ q, k, subject, filter }: Record<string, unknown>): PlaygroundSearch => ({
    q: text(q),
    k: typeof k === 'number' && k >= 1 && k <= 50 ? Math.trunc(k) : undefined,
    subject: text(subject),
    filter: text(filter),
  }),
  component: lazyPage(() => import('../pages/playground/playground.tsx'), 'Playground'),
})

const data = createRoute({
  ...within('data'),
  validateSearch: ({ subject, filter, archive }: Record<string, unknown>): DataSearch => ({
    subject: text(subject),
    filter: text(filter),
    archive: text(archive),
  }),
  component: lazyPage(() => import('../pages/data/data.tsx'), 'Data'),
})

const map = createRoute({
  ...within('map'),
  validateSearch: ({ by, subject, filter, dimensions, links }: Record<string, unknown>): MapSearch => ({
    by: mapColourings.find((each) => each === by),
    subject: text(subject),
    filter: text(filter),
    dimensions: typeof dimensions === 'number' && dimensions >= 1 ? Math.trunc(dimensions) : undefined,
    links: links === true ? true : undefined,
  }),
  component: lazyPage(() => import('../pages/map/map.tsx'), 'SpaceMapPage'),
})

/** What the space holds, and asking it. */
export const memoryPages = [
  overview,
  start,
  memories,
  memory,
  subjects,
  subject,
  forget,
  playground,
  data,
  map,
] as const
