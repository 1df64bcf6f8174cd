import { z } from 'zod'
import { type EventPayload, regime } from './events.ts'
import { roles } from './roles.ts'

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

/** The types of notifications, in the order of `notifiedEvents`. */
export const notificationTypes = notifiedEvents.map((event) => notificationTypeOf(event)) as [
  NotificationType,
  ...NotificationType[],
]

export const severities = ['info', 'warning', 'critical'] as const

type Severity = (typeof severities)[number]

/** What the text of a notification says besides its event: looked up when it is read. */
interface Surroundings {
  environment: 'live' | 'test' | null
  /** The name of the API key or member that it is about; null when there is no such one any more. */
  name: string | null
}

/** What a message says, as values: for clients that word it otherwise, or in another language. */
export const NotificationDetails = z
  .object({
    previous_regime: regime,
    new_regime: regime,
    consolidated: z.int(),
    patterns_used: z.int(),
    patterns_limit: z.int(),
    expires_at: z.iso.datetime(),
    role: z.enum(roles),
    name: z
      .string()
      .nullable()
      .meta({ description: 'Of the key or the member that it is about; null for who is no more.' }),
  })
  .partial()
  .meta({
    id: 'NotificationDetails',
    description:
      'What the message says, as values, which ones by the type: as webhooks carry them, and the `name` instead of ids.',
  })

export type NotificationDetails = z.output<typeof NotificationDetails>

interface Kind<Event extends NotifiedEvent> {
  severity: Severity
  title: string
  details(data: EventPayload<Event>, surroundings: Surroundings): NotificationDetails
  message(data: EventPayload<Event>, surroundings: Surroundings): string
  /** The path of the page in the console to go to; null when there is nothing to do. */
  actionUrl(data: EventPayload<Event>): string | null
}

const space = ({ environment }: Surroundings) => `the ${environment ?? 'live'} space`
const numbers = new Intl.NumberFormat('en')
const date = (iso: string) => iso.slice(0, 10)

/** How each event reads. */
const kinds: { [Event in NotifiedEvent]: Kind<Event> } = {
  'memory.regime_changed': {
    severity: 'info',
    title: 'Regime changed',
    details: ({ from, to }) => ({ previous_regime: from, new_regime: to }),
    message: ({ from, to }, around) => `The regime of ${space(around)} changed from ${from} to ${to}.`,
    actionUrl: () => '/engine',
  },
  'memory.consolidation_completed': {
    severity: 'info',
    title: 'Consolidation completed',
    details: ({ consolidated }) => ({ consolidated }),
    message: ({ consolidated }, around) =>
      `Scheduled consolidation of ${space(around)} has finished: ${numbers.format(consolidated)} consolidated.`,
    actionUrl: () => '/engine/runs',
  },
  'memory.pattern_limit_warning': {
    severity: 'warning',
    title: 'Pattern limit is near',
    details: ({ used, limit }) => ({ patterns_used: used, patterns_limit: limit }),
    message: ({ used, limit }, around) =>
      `More than 80% of the patterns that the plan allows are stored in ${space(around)}: ${numbers.format(used)} of ${numbers.format(limit)}.`,
    actionUrl: () => '/usage',
  },
  'memory.pattern_limit_reached': {
    severity: 'critical',
    title: 'Pattern limit reached',
    details: ({ used, limit }) => ({ patterns_used: used, patterns_limit: limit }),
    message: ({ limit }, around) =>
      `All ${numbers.format(limit)} patterns that the plan allows are stored in ${space(around)}; it takes no more.`,
    actionUrl: () => '/usage',
  },
  'billing.payment_failed': {
    severity: 'critical',
    title: 'Payment failed',
    details: () => ({}),
    message: () => 'The payment of an invoice failed. Check the payment method.',
    actionUrl: () => '/organization',
  },
  'account.key_expiring': {
    severity: 'warning',
    title: 'API key expires soon',
    details: ({ expiresAt }, { name }) => ({ expires_at: expiresAt, name }),
    message: ({ expiresAt }, { name }) =>
      `${name === null ? 'An API key' : `The API key “${name}”`} expires on ${date(expiresAt)}.`,
    actionUrl: () => '/keys',
  },
  'organization.member_joined': {
    severity: 'info',
    title: 'New member',
    details: ({ role }, { name }) => ({ role, name }),
    message: ({ role }, { name }) => `${name ?? 'Somebody'} joined the organization (${role}).`,
    actionUrl: () => '/members',
  },
  'account.export_ready': {
    severity: 'info',
    title: 'Data export ready',
    details: (_data, { name }) => ({ name }),
    message: (_data, { name }) =>
      `The data export of ${name ?? 'a member'} is ready; who asked for it can fetch it within 7 days.`,
    actionUrl: ({ exportId }) => `/data?archive=${exportId}`,
  },
}

/** How a notification reads. */
interface Wording {
  severity: Severity
  title: string
  message: string
  details: NotificationDetails
  actionUrl: string | null
}

/** Words a notification in English. @param data the payload of its event */
export function wordNotification(type: NotificationType, data: unknown, surroundings: Surroundings): Wording {
  const event = notifiedEvents.find((each) => notificationTypeOf(each) === type)
  if (event === undefined) throw new Error(`There is no notification ${type}.`)
  const { message, details, actionUrl, ...kind } = kinds[event] as Kind<NotifiedEvent>
  return {
    ...kind,
    message: message(data as never, surroundings),
    details: details(data as never, surroundings),
    actionUrl: actionUrl(data as never),
  }
}
