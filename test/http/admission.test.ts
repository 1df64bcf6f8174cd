import { Admission, type Whose } from '@memory/api/http/admission'
import { limits } from '@memory/shared/catalogue/limits'
import type { Leave } from '@memory/shared/platform/fair-turns'
import { expect, it } from 'vitest'

const ada: Whose = { lane: 'org', subject: 'ada' }
const grace: Whose = { lane: 'org', subject: 'grace' }
const unbound: Whose = { lane: 'org' }
const other: Whose = { lane: 'other', subject: 'ada' }

/** Requests that are worked on until they are let go. */
function newRequests() {
  const admission = new Admission()
  const begun: Whose[] = []
  const { promise, resolve: release } = Promise.withResolvers<void>()
  const ask = (whose: Whose, count: number) =>
    Array.from({ length: count }, () =>
      admission.admit({ ...whose }, () => {
        begun.push(whose)
        return promise
      }),
    )
  const settled = () => new Promise((resolve) => setImmediate(resolve))
  const begunBy = (whose: Whose) => begun.filter((each) => each === whose).length
  return { admission, ask, settled, begunBy, release }
}

it('F9 requests of one end user leave the organization’s others their turns, and are refused beyond a part', async () => {
  const { admission, ask, settled, begunBy, release } = newRequests()
  const [inHand, waiting, beyond] = [limits.requestsInHand / 4, limits.requestsWaiting / 4, 5]
  const flood = Promise.allSettled(ask(ada, inHand + waiting + beyond))
  await settled()
  expect(begunBy(ada)).toBe(inHand)
  const others = [grace, unbound, other].flatMap((whose) => ask(whose, inHand))
  await settled()
  expect([grace, unbound, other].map(begunBy)).toEqual([inHand, inHand, inHand])
  release()
  await Promise.all(others)
  const outcomes = await flood
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
  expect(refused.map(({ reason }) => reason.code)).toEqual(Array(beyond).fill('too_many_requests'))
  expect(begunBy(ada)).toBe(inHand + waiting)
  expect(admission.waiting).toBe(0)
})

it('an organization whose callers are bound to nobody has all of its turns', async () => {
  const { ask, settled, begunBy, release } = newRequests()
  const all = ask(unbound, limits.requestsInHand + limits.requestsWaiting)
  await settled()
  expect(begunBy(unbound)).toBe(limits.requestsInHand)
  release()
  await Promise.all(all)
})

it.each(['bodies', 'answers'] as const)(
  'F9 %s of one end user are a part of the organization’s at most',
  (which) => {
    const held = new Admission()[which]
    const most = which === 'bodies' ? limits.bodyBytesInHand : limits.answerBytesInHand
    const refused = expect.objectContaining({ code: 'too_many_requests' })
    const part = most / 4
    const ofAda = held.claimFor(ada, part)
    expect(() => held.claimFor(ada, 1)).toThrow(refused)
    const ofOthers = [
      held.claimFor(grace, part),
      held.claimFor(unbound, 2 * part),
      held.claimFor(other, part),
    ]
    // What the organization has no room for is not counted as the end user's.
    const joan = { lane: 'org', subject: 'joan' }
    expect(() => held.claimFor(joan, part)).toThrow(refused)
    ofAda()
    ofAda()
    const again = [held.claimFor(joan, part)]
    expect(held.total).toBe(5 * part)
    for (const giveBack of [...ofOthers, ...again]) giveBack()
    expect(held.total).toBe(0)
  },
)

it('F9 few long bodies of an organization are read at a time, beside those of others', async () => {
  const admission = new Admission()
  const leaves: Leave[] = []
  const ask = (whose: Whose) =>
    Promise.resolve(admission.enterToRead({ ...whose })).then((leave) => void leaves.push(leave))
  const settled = () => new Promise((resolve) => setImmediate(resolve))
  const own = Array.from({ length: limits.longBodiesAtOnce + 2 }, () => ask(unbound))
  await settled()
  expect(leaves).toHaveLength(limits.longBodiesAtOnce)
  await ask(other)
  expect(leaves).toHaveLength(limits.longBodiesAtOnce + 1)
  leaves[0]?.()
  await settled()
  expect(leaves).toHaveLength(limits.longBodiesAtOnce + 2)
  for (let i = 1; i < leaves.length; i++) {
    leaves[i]?.()
    await settled()
  }
  await Promise.all(own)
})

it('long answers of one end user are made in turn, and none is refused for the room of those before it', async () => {
  const admission = new Admission()
  const whose: Whose = { lane: 'organization', subject: 'ada' }
  const made = Array.from({ length: 12 }, async () => {
    const leave = await admission.enterToAnswer(whose)
    leave()
    admission.answers.claimFor(whose, 2 * limits.smallBytes)
  })
  await Promise.all(made)
  expect(admission.answers.total).toBe(made.length * 2 * limits.smallBytes)
  // What was done already is answered although there is no room.
  admission.answers.hold(whose.lane, limits.answerBytesInHand)
  expect(() => admission.answers.claim(whose.lane, 1)).toThrow()
})

it('remembers whose credentials are, and the address of those that nobody knows', () => {
  const admission = new Admission()
  const credentials = { kind: 'key', keyHash: 'aa' } as const
  expect(admission.whoseIs(credentials, '203.0.113.7')).toEqual({ lane: 'address 203.0.113.7' })
  admission.remember(credentials, ada)
  expect(admission.whoseIs(credentials, '203.0.113.7')).toEqual(ada)
  expect(admission.laneOf(undefined, '203.0.113.7')).toBe('address 203.0.113.7')
  admission.forget(credentials)
  expect(admission.whoseIs(credentials, '203.0.113.7')).toEqual({ lane: 'address 203.0.113.7' })
})

it('counts the addresses of a subscriber, who has a whole /64, as one', () => {
  const admission = new Admission()
  const lanes = ['2001:db8:1:2::7', '2001:db8:1:2:3:4:5:6', '2001:db8:1:3::7'].map((address) =>
    admission.laneOf(undefined, address),
  )
  expect(lanes[1]).toBe(lanes[0])
  expect(lanes[2]).not.toBe(lanes[0])
  // Where a request comes from that has no such source, as one of the machine itself, is still told apart.
  expect(new Set([...lanes, ...['::1', null].map((each) => admission.laneOf(undefined, each))])).toHaveLength(
    4,
  )
})
