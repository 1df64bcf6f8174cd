import { createRoute } from '@tanstack/react-router'
import {
  auditActions,
  deliveryStatuses,
  latencyPeriods,
  usageDivisions,
  usagePeriods,
} from 'memory-service-sdk'
import {
  type AuditSearch,
  type DeliveriesSearch,
  type MembersSearch,
  type NotificationsSearch,
  sentEvents,
  type UsageSearch,
} from '../searches.ts'
import { within } from './inside.ts'
import { lazyPage } from './lazy-page.ts'
import { further, text } from './root.ts'

const time = (given: unknown) => {
  const at = text(given)
  return at === undefined || Number.isNaN(Date.parse(at)) ? undefined : at
}

const keys = createRoute({
  ...within('keys'),
  validateSearch: ({ page }: Record<string, unknown>): { page?: number } => ({ page: further(page) }),
  component: lazyPage(() => import('../pages/organization/keys.tsx'), 'Keys'),
})

const members = createRoute({
  ...within('members'),
  validateSearch: ({ page, invitations }: Record<string, unknown>): MembersSearch => ({
    page: further(page),
    invitations: further(invitations),
  }),
  component: lazyPage(() => import('../pages/organization/members.tsx'), 'Members'),
})

const organization = createRoute({
  ...within('organization'),
  component: lazyPage(() => import('../pages/organization/organization.tsx'), 'OrganizationSettings'),
})

const audit = createRoute({
  ...within('audit'),
  validateSearch: (given: Record<string, unknown>): AuditSearch => ({
    action: auditActions.find((each) => each === given.action),
    success: typeof given.success === 'boolean' ? given.success : undefined,
    actor_email: text(given.actor_email),
    since: time(given.since),
    until: time(given.until),
    page: typeof given.page === 'number' && given.page > 1 ? Math.trunc(given.page) : undefined,
  }),
  component: lazyPage(() => import('../pages/organization/audit.tsx'), 'Audit'),
})

const webhooks = createRoute({
  ...within('webhooks'),
  component: lazyPage(() => import('../pages/webhooks/webhooks.tsx'), 'Webhooks'),
})

const webhook = createRoute({
  ...within('webhooks/$id'),
  validateSearch: ({ status, event, cursor }: Record<string, unknown>): DeliveriesSearch => ({
    status: deliveryStatuses.find((each) => each === status),
    event: sentEvents.find((each) => each === event),
    cursor: text(cursor),
  }),
  component: lazyPage(() => import('../pages/webhooks/webhook.tsx'), 'Webhook'),
})

const delivery = createRoute({
  ...within('webhooks/$id/deliveries/$delivery'),
  component: lazyPage(() => import('../pages/webhooks/delivery.tsx'), 'Delivery'),
})

const usage = createRoute({
  ...within('usage'),
  validateSearch: ({ by, period, latency, cursor }: Record<string, unknown>): UsageSearch => ({
    by: usageDivisions.find((each) => each === by),
    period: usagePeriods.find((each) => each === period),
    latency: latencyPeriods.find((each) => each === latency),
    cursor: text(cursor),
  }),
  component: lazyPage(() => import('../pages/organization/usage.tsx'), 'Usage'),
})

const notifications = createRoute({
  ...within('notifications'),
  validateSearch: ({ unread, page }: Record<string, unknown>): NotificationsSearch => ({
    unread: unread === true ? true : undefined,
    page: typeof page === 'number' && Number.isSafeInteger(page) && page > 1 ? page : undefined,
  }),
  component: lazyPage(() => import('../pages/notifications/notifications.tsx'), 'Notifications'),
})

/** What belongs to the organization. */
export const organizationPages = [
  members,
  keys,
  usage,
  webhooks,
  webhook,
  delivery,
  notifications,
  organization,
  audit,
] as const
