import {
  type auditActions,
  type conflictKinds,
  type conflictStatuses,
  type deliveryStatuses,
  type jobStates,
  type latencyPeriods,
  notifiedEvents,
  type queueNames,
  type runKinds,
  type usageDivisions,
  type usagePeriods,
  type userStatuses,
} from 'memory-service-sdk'

// What the addresses of pages say beside their paths.

export const ways = ['newest', 'words', 'meaning'] as const
/** How memories are looked for. */
export type Way = (typeof ways)[number]

export interface MemoriesSearch {
  way?: Way
  q?: string
  subject?: string
  /** A filter's JSON. */
  filter?: string
  /** What is superseded too. */
  all?: true
  cursor?: string
}

export const forgettings = ['meaning', 'category', 'subject'] as const
/** What is forgotten by. */
export type Forgetting = (typeof forgettings)[number]
/** The least similarity by which the service forgets: what it takes, and where the page begins. */
export const forgetThreshold = { least: 0.5, usual: 0.85, most: 1 } as const

export const mapColourings = ['cluster', 'tier', 'age'] as const
/** What the points of a map are coloured by. */
export type MapColouring = (typeof mapColourings)[number]

export interface MapSearch {
  by?: MapColouring
  subject?: string
  filter?: string
  dimensions?: number
  /** What use has associated is drawn too. */
  links?: true
}

export interface PlaygroundSearch {
  q?: string
  k?: number
  subject?: string
  filter?: string
}

export type UserStatus = (typeof userStatuses)[number]
export type QueueName = (typeof queueNames)[number]
export type JobState = (typeof jobStates)[number]

export type AuditAction = (typeof auditActions)[number]

/** Which entries of the audit log, as its operation calls what narrows them. */
export interface AuditSearch {
  action?: AuditAction
  success?: boolean
  actor_email?: string
  since?: string
  until?: string
  /** From the second on. */
  page?: number
}

/** Pages, from the second on. */
export interface MembersSearch {
  page?: number
  invitations?: number
}

/** What webhooks are sent: the events, and tests. */
export const sentEvents = [...notifiedEvents, 'webhook.test'] as const

/** What of a webhook's deliveries is listed. */
export interface DeliveriesSearch {
  status?: (typeof deliveryStatuses)[number]
  event?: (typeof sentEvents)[number]
  cursor?: string
}

export interface ConflictsSearch {
  kind?: (typeof conflictKinds)[number]
  /** Those of which nothing was said unless given. */
  state?: Exclude<(typeof conflictStatuses)[number], 'open'>
  cursor?: string
}

/** How many of the latest records of regime and signal are shown, the fewest unless said. */
export const histories = [100, 300, 1_000] as const

export interface EngineSearch {
  last?: (typeof histories)[number]
}

export interface RunsSearch {
  /** Both unless said. */
  kind?: (typeof runKinds)[number]
  cursor?: string
  /** A page of candidates of consolidation. */
  candidates?: number
}

export interface UsageSearch {
  /** What use is broken down by. */
  by?: (typeof usageDivisions)[number]
  /** How far back. */
  period?: (typeof usagePeriods)[number]
  /** How far back latencies go. */
  latency?: (typeof latencyPeriods)[number]
  cursor?: string
}

export interface DataSearch {
  /** Of whom memories are exported. */
  subject?: string
  /** A filter's JSON. */
  filter?: string
  /** The archive of the account that was asked for. */
  archive?: string
}

export interface NotificationsSearch {
  /** Those alone that were not read. */
  unread?: true
  page?: number
}
