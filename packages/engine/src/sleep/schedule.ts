import { parameters } from '../parameters.ts'

const { idleMs, patienceMs, sleepEveryMs, exploreEveryMs, migrateEveryMs, migrateUntilMs, spreadMs } =
  parameters.schedule
const { aheadMs } = parameters.schedule

/** Background tasks of a space, each with a schedule of its own. */
export const spaceTasks = ['sleep', 'explore', 'migrate_tiers'] as const
export type SpaceTask = (typeof spaceTasks)[number]

/** What the schedule of one task in one space depends on. Times in ms since 1970. */
export interface TaskState {
  /** When the space was last used. */
  activeAt: number
  /** When it was first used after the beginning of the last complete run; null: not since. */
  waitingSince: number | null
  /** When the last complete run began; null before the first. */
  doneAt: number | null
  /** When a run began that is not complete yet; null: none. */
  begunAt: number | null
}

/** The state without times of a clock that was ahead and was set back since: when that was is not known. */
export function withoutFuture(state: TaskState, now: number): TaskState {
  const known = (at: number | null) => (at !== null && at > now + aheadMs ? null : at)
  return {
    activeAt: known(state.activeAt) ?? now,
    waitingSince: known(state.waitingSince),
    doneAt: known(state.doneAt),
    begunAt: known(state.begunAt),
  }
}

/** The state after a use of the space. */
export function afterUse(before: TaskState | undefined, usedAt: number): TaskState {
  if (before === undefined) return { activeAt: usedAt, waitingSince: usedAt, doneAt: null, begunAt: null }
  const isNew = before.doneAt === null || usedAt > before.doneAt
  return {
    ...before,
    activeAt: Math.max(before.activeAt, usedAt),
    waitingSince: before.waitingSince ?? (isNew ? usedAt : null),
  }
}

/** The state after a run is complete. A use after the run had begun waits for the next run. */
export function afterRun(before: TaskState, now: number): TaskState {
  const doneAt = before.begunAt ?? now
  const { activeAt } = before
  return { activeAt, waitingSince: activeAt > doneAt ? activeAt : null, doneAt, begunAt: null }
}

/**
 * When a task is due next; null: not before the space is used again. Sleep and exploration are due after new uses, once the space
 * is idle. Tiers are due as time passes, since scores fall in an unused space too, but ever less often.
 * @param spread see `spreadOf`
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

/** A number in [0, 1) that differs from space to space, so that their tasks are not all due at once. @param spaceId a UUID */
export function spreadOf(spaceId: string): number {
  return Number.parseInt(spaceId.slice(0, 8), 16) / 2 ** 32
}
