import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { repository } from '../support/environment.ts'

/** What workers that were killed said while they worked off a queue. */
export interface Course {
  kills: number
  seconds: number
  /** How often jobs began, of all and beyond the first time. */
  begun: number
  begunAgain: number
  /** Jobs that were in hand, without their effect as far as was known, when a worker was killed. */
  interrupted: number
  /** The longest from a kill until the next worker had done a job. */
  longestPauseMs: number
  /** The longest from a kill until a job that it interrupted was done. */
  longestRecoveryMs: number
}

/** Up to so long after a job has begun, its worker is killed: before, in and after what it does. */
const killWithinMs = 50

/**
 * Works off what is in the queue in one worker process after another, each but the last killed with SIGKILL.
 * @param settings the worker's environment
 * @param moments how many jobs have begun when a kill comes, ascending
 * @throws when a worker ends by itself
 */
export async function workUnderKills(
  settings: Record<string, string>,
  moments: readonly number[],
  random: () => number,
): Promise<Course> {
  const started = performance.now()
  const times = new Map<string, number>()
  const inHand = new Set<string>()
  const interrupted = new Map<string, number>()
  const course = { kills: 0, begun: 0, interrupted: 0, longestPauseMs: 0, longestRecoveryMs: 0 }
  let pausedAt: number | undefined
  let isEmpty = false

  const began = (id: string) => {
    times.set(id, (times.get(id) ?? 0) + 1)
    inHand.add(id)
    course.begun++
  }
  const did = (id: string) => {
    const now = performance.now()
    inHand.delete(id)
    if (pausedAt !== undefined) course.longestPauseMs = Math.max(course.longestPauseMs, now - pausedAt)
    pausedAt = undefined
    const killedAt = interrupted.get(id)
    if (killedAt !== undefined) course.longestRecoveryMs = Math.max(course.longestRecoveryMs, now - killedAt)
    interrupted.delete(id)
  }

  while (!isEmpty) {
    const { PATH, HOME } = process.env
    const child = spawn(process.execPath, [join(repository, 'test/platform/queue/work-until-killed.ts')], {
      cwd: repository,
      env: { PATH, HOME, EFFECTS: '1', ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const abandon = () => child.kill('SIGKILL')
    process.once('exit', abandon)
    const errors = text(child.stderr)
    const closed = once(child, 'close')
    let killedAt: number | undefined
    let killing: Promise<void> | undefined
    const kill = async () => {
      await delay(random() * killWithinMs)
      killedAt = performance.now()
      child.kill('SIGKILL')
    }
    for await (const line of createInterface({ input: child.stdout })) {
      const [word, id = ''] = line.split(' ')
      if (word === 'began') began(id)
      if (word === 'did') did(id)
      if (word === 'empty') {
        isEmpty = true
        child.kill('SIGTERM')
      }
      if (course.begun >= (moments[course.kills] ?? Number.POSITIVE_INFINITY)) killing ??= kill()
    }
    await closed
    await killing
    process.off('exit', abandon)
    if (isEmpty) break
    if (killedAt === undefined) throw new Error(`The worker ended: ${await errors}`)
    course.kills++
    pausedAt ??= killedAt
    course.interrupted += inHand.size
    for (const id of inHand) if (!interrupted.has(id)) interrupted.set(id, killedAt)
    inHand.clear()
  }
  const begunAgain = [...times.values()].filter((count) => count > 1).length
  return { ...course, begunAgain, seconds: (performance.now() - started) / 1_000 }
}
