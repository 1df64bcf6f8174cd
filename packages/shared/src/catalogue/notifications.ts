import type { EventPayload } from './events.ts'

/** Events that an organization is told of: in its notifications, and by its webhooks. */
export const notifiedEvents = [
  'memory.regime_changed',
  'memory.consolidation_completed',
  'memory.pattern_limit_warning',
  'memory.pattern_limit_reached',
  'billing.payment_failed',
  'account.key_expiring',
  'organization.member_joined',
  'account.export_ready',
] as const

export type NotifiedEvent = (typeof notifiedEvents)[number]
type TypeOf<Event> = Event extends `${string}.${infer Type}` ? Type : never
export type NotificationType = TypeOf<NotifiedEvent>

/** An event's name without the prefix of its subject. */
export function notificationTypeOf<Event extends NotifiedEvent>(event: Event): TypeOf<Event> {
  return event.slice(event.indexOf('.') + 1) as TypeOf<Event>
}

/** In the order of `notifiedEvents`. */
export const notificationTypes = notifiedEvents.map((event) => notificationTypeOf(event)) as [
  NotificationType,
  ...NotificationType[],
]

export const severities = ['info', 'warning', 'critical'] as const

type Severity = (typeof severities)[number]

/** What is known of a notification beside its event when it is read. */
export interface Surroundings {
  environment: 'live' | 'test' | null
  /** Of the API key or the member that it is about; null for who is no more. */
  name: string | null
}

interface Kind<Event extends NotifiedEvent> {
  severity: Severity
  title: string
  message(data: EventPayload<Event>, surroundings: Surroundings): string
  /** Path of the console's page; null when there is nothing to do. */
  actionUrl: string | null
}

const space = ({ environment }: Surroundings) => `the ${environment ?? 'live'} space`
const numbers = new Intl.NumberFormat('en')
const date = (iso: string) => iso.slice(0, 10)

/** How each event reads. */
const kinds: { [Event in NotifiedEvent]: Kind<Event> } = {
  'memory.regime_changed': {
    severity: 'info',
    title: 'Regime changed',
    message: ({ from, to }, around) => `The regime of ${space(around)} changed from ${from} to ${to}.`,
    actionUrl: '/memory/regime',
  },
  'memory.consolidation_completed': {
    severity: 'info',
    title: 'Consolidation completed',
    message: ({ consolidated }, around) =>
      `Scheduled consolidation of ${space(around)} has finished: ${numbers.format(consolidated)} consolidated.`,
    actionUrl: '/memory',
  },
  'memory.pattern_limit_warning': {
    severity: 'warning',
    title: 'Pattern limit is near',
    message: ({ used, limit }, around) =>
      `More than 80% of the patterns that the plan allows are stored in ${space(around)}: ${numbers.format(used)} of ${numbers.format(limit)}.`,
    actionUrl: '/billing',
  },
  'memory.pattern_limit_reached': {
    severity: 'critical',
    title: 'Pattern limit reached',
    message: ({ limit }, around) =>
      `All ${numbers.format(limit)} patterns that the plan allows are stored in ${space(around)}; it takes no more.`,
    actionUrl: '/billing',
  },
  'billing.payment_failed': {
    severity: 'critical',
    title: 'Payment failed',
    message: () => 'The payment of an invoice failed. Check the payment method.',
    actionUrl: '/billing',
  },
  'account.key_expiring': {
    severity: 'warning',
    title: 'API key expires soon',
    message: ({ expiresAt }, { name }) =>
      `${name === null ? 'An API key' : `The API key “${name}”`} expires on ${date(expiresAt)}.`,
    actionUrl: '/api-keys',
  },
  'organization.member_joined': {
    severity: 'info',
    title: 'New member',
    message: ({ role }, { name }) => `${name ?? 'Somebody'} joined the organization (${role}).`,
    actionUrl: '/members',
  },
  'account.export_ready': {
    severity: 'info',
    title: 'Data export ready',
    message: (_data, { name }) =>
      `The data export of ${name ?? 'a member'} is ready; who asked for it can fetch it within 7 days.`,
    actionUrl: '/account/export',
  },
}

/** How a notification reads. */
export interface Wording {
  severity: Severity
  title: string
  message: string
  actionUrl: string | null
}

/** @param data as the event of that type carries it */
export function wordNotification(type: NotificationType, data: unknown, surroundings: Surroundings): Wording {
  const event = notifiedEvents.find((each) => notificationTypeOf(each) === type)
  if (event === undefined) throw new Error(`There is no notification ${type}.`)
  const { message, ...kind } = kinds[event] as Kind<NotifiedEvent>
  return { ...kind, message: message(data as never, surroundings) }
}
