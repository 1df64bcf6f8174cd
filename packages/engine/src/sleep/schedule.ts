import { parameters } from '../parameters.ts'

const { idleMs, patienceMs, sleepEveryMs, exploreEveryMs, migrateEveryMs, migrateUntilMs, spreadMs } =
  parameters.schedule

/** What is done for spaces in the background, each by a schedule of its own. */
export const spaceTasks = ['sleep', 'explore', 'migrate_tiers'] as const
export type SpaceTask = (typeof spaceTasks)[number]

/** How a space stands with a task. Times in ms since 1970. */
export interface TaskState {
  /** When the space was used last. */
  activeAt: number
  /** Since when it has been used after the last whole run; null for not at all. */
  waitingSince: number | null
  /** When the last whole run began; null before the first. */
  doneAt: number | null
  /** When a run began that has stopped half way; null for none. */
  begunAt: number | null
}

/** The state once it is known that the space was used at a moment. */
export function afterUse(before: TaskState | undefined, usedAt: number): TaskState {
  if (before === undefined) return { activeAt: usedAt, waitingSince: usedAt, doneAt: null, begunAt: null }
  const isNew = before.doneAt === null || usedAt > before.doneAt
  return {
    ...before,
    activeAt: Math.max(before.activeAt, usedAt),
    waitingSince: before.waitingSince ?? (isNew ? usedAt : null),
  }
}

/** The state once a run is whole. What was used after it had begun waits for the next. */
export function afterRun(before: TaskState, now: number): TaskState {
  const doneAt = before.begunAt ?? now
  const { activeAt } = before
  return { activeAt, waitingSince: activeAt > doneAt ? activeAt : null, doneAt, begunAt: null }
}

/**
 * When a task is due next; null for not before the space is used again. Sleep and exploration want new uses and an idle
 * space, tiers want time to pass: scores fall in a space that nobody uses too, ever more slowly.
 * @param spread of the space, in [0, 1)
 */
export function dueAt(task: SpaceTask, state: TaskState, spread: number): number | null {
  if (state.begunAt !== null) return state.begunAt
  const due = task === 'migrate_tiers' ? migrationDueAt(state) : idleDueAt(state, everyMs[task])
  return due === null ? null : due + spread * spreadMs
}

const everyMs = { sleep: sleepEveryMs, explore: exploreEveryMs }

function idleDueAt({ activeAt, waitingSince, doneAt }: TaskState, every: number): number | null {
  if (waitingSince === null) return null
  const ready = doneAt === null ? waitingSince : Math.max(waitingSince, doneAt + every)
  return Math.min(Math.max(activeAt + idleMs, ready), ready + patienceMs)
}

function migrationDueAt({ activeAt, waitingSince, doneAt }: TaskState): number | null {
  if (doneAt === null) return (waitingSince ?? activeAt) + migrateEveryMs
  if (waitingSince !== null) return doneAt + migrateEveryMs
  const unusedMs = doneAt - activeAt
  return unusedMs > migrateUntilMs ? null : doneAt + Math.max(migrateEveryMs, unusedMs / 2)
}

/** Where a space stands among all, in [0, 1): the same each time. @param spaceId a UUID */
export function spreadOf(spaceId: string): number {
  return Number.parseInt(spaceId.slice(0, 8), 16) / 2 ** 32
}
