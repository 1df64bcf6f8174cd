import { type JobType, jobDefinition, type QueueName, type Schedule } from '../../catalogue/jobs.ts'
import type { AnyQueue } from './backend.ts'
import { jobOptions } from './job-options.ts'

/**
 * A next turn that is overdue by more than this has lost its job. One that is further in the future than its interval by more
 * than this was set by a clock that was ahead.
 */
const lateMs = 10 * 60_000

/**
 * Makes the schedules of a queue those of this release. A schedule is made anew when it is missing or different, or when its next
 * turn is lost (for example after Redis was emptied) or too far in the future. Schedules that this release does not have are
 * removed. Right ones are not touched, so any number of workers may repeat this, one at a time.
 * @param types the types of jobs that this release can do
 */
export async function keepSchedules(queue: AnyQueue, types: readonly JobType[], now: Date): Promise<void> {
  const wanted = types.filter(
    (type) => jobDefinition(type).queue === (queue.name as QueueName) && jobDefinition(type).schedule,
  )
  const kept = await queue.getJobSchedulers(0, -1)
  for (const type of wanted) {
    const definition = jobDefinition(type)
    const schedule = definition.schedule as Schedule
    const found = kept.find(({ key }) => key === type)
    if (found !== undefined && isSame(found, schedule) && isToCome(found.next, schedule, now)) continue
    // Removed first, since otherwise an existing next turn would keep its time.
    if (found !== undefined) await queue.removeJobScheduler(type)
    await queue.upsertJobScheduler(type, repeatOf(schedule, now), {
      name: type,
      data: {},
      opts: jobOptions(definition),
    })
  }
  for (const { key } of kept) {
    if (!wanted.includes(key as JobType)) await queue.removeJobScheduler(key)
  }
}

/** The first turn comes only after one interval, because the start of a process has enough to do. */
function repeatOf(schedule: Schedule, now: Date) {
  return 'everyMs' in schedule
    ? { every: schedule.everyMs, startDate: now.getTime() + schedule.everyMs }
    : { pattern: schedule.cron, tz: 'UTC' }
}

function isToCome(next = 0, schedule: Schedule, now: Date): boolean {
  const ahead = next - now.getTime()
  const aheadMax = 'everyMs' in schedule ? schedule.everyMs : Number.POSITIVE_INFINITY
  return ahead > -lateMs && ahead < aheadMax + lateMs
}

function isSame(found: { every?: number; pattern?: string | null }, schedule: Schedule): boolean {
  return 'everyMs' in schedule ? Number(found.every) === schedule.everyMs : found.pattern === schedule.cron
}
