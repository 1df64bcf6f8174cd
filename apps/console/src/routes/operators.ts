import { createRoute } from '@tanstack/react-router'
import { jobStates, queueNames, userStatuses } from 'memory-service-sdk'
import type { JobState, QueueName, UserStatus } from '../searches.ts'
import { within } from './inside.ts'
import { lazyPage } from './lazy-page.ts'
import { text } from './root.ts'

const operators = createRoute({
  ...within('operators'),
  component: lazyPage(() => import('../parts/operators-only.tsx'), 'OperatorsOnly'),
})

const page = <Name extends string>(path: Name) => ({ getParentRoute: () => operators, path }) as const

const organizations = createRoute({
  ...page('organizations'),
  validateSearch: ({
    search,
    plan,
    cursor,
  }: Record<string, unknown>): { search?: string; plan?: string; cursor?: string } => ({
    search: text(search),
    plan: text(plan),
    cursor: text(cursor),
  }),
  component: lazyPage(() => import('../pages/operators/organizations.tsx'), 'Organizations'),
})

const users = createRoute({
  ...page('users'),
  validateSearch: ({
    search,
    status,
    of,
    cursor,
  }: Record<string, unknown>): { search?: string; status?: UserStatus; of?: string; cursor?: string } => ({
    search: text(search),
    status: userStatuses.find((each) => each === status),
    of: text(of),
    cursor: text(cursor),
  }),
  component: lazyPage(() => import('../pages/operators/users.tsx'), 'Users'),
})

const user = createRoute({
  ...page('users/$id'),
  component: lazyPage(() => import('../pages/operators/user.tsx'), 'User'),
})

const queues = createRoute({
  ...page('queues'),
  validateSearch: ({
    queue,
    state,
    cursor,
  }: Record<string, unknown>): { queue?: QueueName; state?: JobState; cursor?: string } => ({
    queue: queueNames.find((each) => each === queue),
    state: jobStates.find((each) => each === state),
    cursor: text(cursor),
  }),
  component: lazyPage(() => import('../pages/operators/queues.tsx'), 'QueuesPage'),
})

const health = createRoute({
  ...page('health'),
  component: lazyPage(() => import('../pages/operators/health.tsx'), 'HealthPage'),
})

const backups = createRoute({
  ...page('backups'),
  validateSearch: ({ cursor }: Record<string, unknown>): { cursor?: string } => ({ cursor: text(cursor) }),
  component: lazyPage(() => import('../pages/operators/backups.tsx'), 'Backups'),
})

const receipts = createRoute({
  ...page('receipts'),
  validateSearch: ({ of, cursor }: Record<string, unknown>): { of?: string; cursor?: string } => ({
    of: text(of),
    cursor: text(cursor),
  }),
  component: lazyPage(() => import('../pages/operators/receipts.tsx'), 'Receipts'),
})

/** What whoever runs the service looks after. */
export const operatorPages = operators.addChildren([
  organizations,
  users,
  user,
  queues,
  health,
  backups,
  receipts,
])
