import { type JobType, jobDefinition, type QueueName, type Schedule } from '../../catalogue/jobs.ts'
import type { AnyQueue } from './backend.ts'
import { jobOptions } from './job-options.ts'

/** A turn that is later than this has lost its job, and one that is further off was made by a clock that was ahead. */
const lateMs = 10 * 60_000

/**
 * Brings the schedules of a queue to those of this release: what is missing, was changed, has lost its next turn (Redis was
 * emptied, say) or has it further off than its interval is made anew, and what no release has any more goes. What is right is not touched, so that
 * any number of workers may do this again and again, one at a time.
 * @param types whose jobs this release can do
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
    // A turn that is there keeps its time, also where the schedule is made anew.
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

/** The first turn of an interval is at its end: a start has enough to do. */
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
