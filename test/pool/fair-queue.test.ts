import {
  activeMs,
  again,
  FairQueue,
  type Priority,
  type Shareable,
  type Weight,
} from '@memory/api/pool/fair-queue'
import type { Urgency } from '@memory/memory/compute'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const lightStore: Priority = { urgency: 'store', weight: 'light' }
// Of callers of an organization who are bound to nobody ten may wait while nobody else of it does.
const limits = { concurrency: 1, waitingPerTenant: 12, waitingInAll: 15 }

/** A queue whose jobs run one at a time, each until it is let go. */
function newQueue(options = limits) {
  const queue = new FairQueue(options)
  const started: string[] = []
  const release: (() => void)[] = []
  const ask = (organizationId: string, name: string, urgency: Urgency = 'store', signal?: AbortSignal) =>
    queue.run({ organizationId, signal }, { urgency, weight: 'light' }, () => {
      started.push(name)
      return new Promise<string>((resolve) => release.push(() => resolve(name)))
    })
  const finishOne = async () => {
    release.shift()?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { queue, started, ask, finishOne }
}

describe('FairQueue', () => {
  it('F9 gives organizations their turns, whoever asked for more and first', async () => {
    const { started, ask, finishOne } = newQueue()
    const all = [
      ask('a', 'a1'),
      ask('a', 'a2'),
      ask('a', 'a3'),
      ask('b', 'b1'),
      ask('c', 'c1'),
      ask('b', 'b2'),
    ]
    for (let i = 0; i < 6; i++) await finishOne()
    expect(started).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2'])
    expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3', 'b1', 'c1', 'b2'])
  })

  it('runs an organization’s searches before what it stores', async () => {
    const { started, ask, finishOne } = newQueue()
    void ask('a', 'running')
    void ask('a', 'store 1')
    void ask('a', 'store 2')
    void ask('a', 'search', 'search')
    for (let i = 0; i < 4; i++) await finishOne()
    expect(started).toEqual(['running', 'search', 'store 1', 'store 2'])
  })

  it('drops a job whose client hung up, and not what runs already', async () => {
    const { queue, started, ask, finishOne } = newQueue()
    const [first, second] = [new AbortController(), new AbortController()]
    const running = ask('a', 'running', 'store', first.signal)
    const dropped = ask('a', 'dropped', 'store', second.signal)
    const last = ask('a', 'last')
    first.abort()
    second.abort()
    await expect(dropped).rejects.toMatchObject({ code: 'abandoned' })
    expect(queue.waiting).toBe(1)
    for (let i = 0; i < 2; i++) await finishOne()
    expect(await Promise.all([running, last])).toEqual(['running', 'last'])
    expect(started).toEqual(['running', 'last'])
    await expect(ask('a', 'late', 'store', second.signal)).rejects.toMatchObject({ code: 'abandoned' })
  })

  it('refuses what is too much for one organization and for all, and nobody else', async () => {
    const { queue, ask } = newQueue()
    void ask('a', 'running')
    for (let i = 0; i < 10; i++) void ask('a', `a${i}`)
    const refused = { code: 'unavailable', retryAfterS: 1 }
    await expect(ask('a', 'one more')).rejects.toMatchObject(refused)
    for (let i = 0; i < 5; i++) void ask(`other ${i}`, 'o')
    expect(queue.waiting).toBe(15)
    await expect(ask('z', 'one more')).rejects.toMatchObject(refused)
  })

  it('goes on after a job that failed', async () => {
    const queue = new FairQueue(limits)
    const failed = queue.run({ organizationId: 'a' }, lightStore, () => Promise.reject(new Error('broken')))
    const next = queue.run({ organizationId: 'a' }, lightStore, async () => 'fine')
    await expect(failed).rejects.toThrow('broken')
    expect(await next).toBe('fine')
  })

  it('lets what it has finish when it closes, and takes nothing more', async () => {
    const { queue, ask, finishOne } = newQueue()
    const given = [ask('a', 'one'), ask('a', 'two')]
    const closing = queue.close(10_000)
    await expect(ask('a', 'late')).rejects.toMatchObject({ code: 'unavailable' })
    await finishOne()
    await finishOne()
    await closing
    expect(await Promise.all(given)).toEqual(['one', 'two'])
  })

  it('refuses what still waits when the time to close is over', async () => {
    const { queue, ask } = newQueue()
    void ask('a', 'hangs')
    const waiting = expect(ask('a', 'waits')).rejects.toMatchObject({ code: 'unavailable' })
    await queue.close(1)
    await waiting
  })
})

describe('FairQueue with callers who are bound to end users', () => {
  const room = 40
  const nobody = undefined
  const names = ['ada', 'grace', 'joan', nobody]
  const lane = fc.constantFrom(...names)
  const priority = fc.record<Priority>({
    urgency: fc.constantFrom('search', 'store'),
    weight: fc.constantFrom('light', 'heavy'),
  })

  /** A queue with one thread, which is taken; `start` lets it go and does all that waits. */
  function newHeldQueue(waitingInAll = 10 * room) {
    const queue = new FairQueue({ concurrency: 1, waitingPerTenant: room, waitingInAll })
    const { promise, resolve: start } = Promise.withResolvers<void>()
    void queue.run({ organizationId: 'holder' }, lightStore, () => promise)
    const started: string[] = []
    const all: Promise<unknown>[] = []
    /** @returns whether it was admitted */
    const ask = (
      organizationId: string,
      name: string | undefined,
      priority = lightStore,
      signal?: AbortSignal,
    ) => {
      const before = queue.waiting
      const requester = { organizationId, signal, subject: name === undefined ? undefined : { name } }
      const done = queue.run(requester, priority, async () => void started.push(`${organizationId} ${name}`))
      all.push(done.catch(() => {}))
      return queue.waiting > before
    }
    const fill = (organizationId: string, name: string | undefined, priority = lightStore) => {
      let count = 0
      while (ask(organizationId, name, priority)) count++
      return count
    }
    const finish = async () => {
      start()
      await Promise.all(all)
      return started
    }
    return { queue, ask, fill, finish }
  }

  it('F9 leaves an organization’s others room, whichever of its lanes are full, and other organizations all', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(lane, priority), { maxLength: 12 }), lane, priority, (full, name, by) => {
        const { ask, fill } = newHeldQueue()
        const lanes = full.filter(([one]) => one !== name)
        for (const [one, each] of lanes) fill('a', one, each)
        expect(ask('a', name, by)).toBe(true)
        expect(fill('b', nobody)).toBe(newHeldQueue().fill('b', nobody))
      }),
    )
  })

  it('has an end user fill half of the room at most, and all together no more than there is', () => {
    const { queue, fill } = newHeldQueue()
    expect(fill('a', 'ada')).toBe(room / 2)
    expect(fill('a', 'grace')).toBe(room / 4)
    for (let i = 0; i < 2 * room; i++) fill('a', `user ${i}`)
    fill('a', nobody)
    expect(queue.waiting).toBe(room)
    expect(newHeldQueue(7).fill('a', 'ada')).toBe(7)
  })

  it('F9 gives the lanes of an organization every second turn, however much waits of the other one', async () => {
    const counts = fc.integer({ min: 1, max: 8 })
    const pair = fc.shuffledSubarray(names, { minLength: 2, maxLength: 2 })
    await fc.assert(
      fc.asyncProperty(
        pair,
        fc.constantFrom('light', 'heavy'),
        counts,
        async ([full, other], weight, few) => {
          const { ask, fill, finish } = newHeldQueue()
          const many = fill('a', full, { urgency: 'search', weight })
          let admitted = 0
          while (admitted < few && ask('a', other, { urgency: 'store', weight })) admitted++
          const turns = Array.from({ length: admitted }, () => [`a ${full}`, `a ${other}`]).flat()
          const rest = Array.from({ length: many - admitted }, () => `a ${full}`)
          expect(await finish()).toEqual([...turns, ...rest])
        },
      ),
    )
  })

  it('F9 gives an organization with many lanes no more turns than one with a single one', async () => {
    const { ask, finish } = newHeldQueue()
    for (const name of ['ada', 'grace', nobody]) for (let i = 0; i < 2; i++) ask('a', name)
    for (let i = 0; i < 4; i++) ask('b', nobody)
    const [ofA, ofB] = [['a ada', 'a grace', 'a undefined'], 'b undefined']
    const [first, second, third] = ofA
    expect(await finish()).toEqual([first, ofB, second, ofB, third, ofB, first, ofB, second, third])
  })

  it('drops what an end user waited for who hung up, and nothing of others', async () => {
    const { queue, ask, finish } = newHeldQueue()
    const gone = new AbortController()
    ask('a', 'ada', lightStore, gone.signal)
    ask('a', 'ada')
    ask('a', 'grace', lightStore, gone.signal)
    gone.abort()
    expect(queue.waiting).toBe(1)
    ask('a', 'grace')
    expect(await finish()).toEqual(['a ada', 'a grace'])
    expect(queue.waiting).toBe(0)
  })
})

describe('FairQueue with jobs that may be done together', () => {
  /** A queue that works on one block at a time, each until it is let go; items join those with the same first letter. */
  function newBlockQueue(most: number, options = limits) {
    const queue = new FairQueue(options)
    const blocks: (readonly string[])[] = []
    const release: (() => void)[] = []
    const kind: Shareable<string, string> = {
      joins: (first, other) => first[0] === other[0],
      most: () => most,
      work: (items) => {
        blocks.push(items)
        const outcomes = items.map((item): PromiseSettledResult<string> => {
          return item.endsWith('!')
            ? { status: 'rejected', reason: new Error(item) }
            : { status: 'fulfilled', value: item.toUpperCase() }
        })
        return new Promise((resolve) => release.push(() => resolve(outcomes)))
      },
    }
    const ask = (organizationId: string, items: string[], signal?: AbortSignal) =>
      queue.runTogether(
        items.map((item) => ({ requester: { organizationId, signal }, item })),
        kind,
      )
    const finishAll = async () => {
      while (release.length > 0) {
        release.shift()?.()
        await new Promise((resolve) => setImmediate(resolve))
      }
    }
    return { queue, blocks, ask, finishAll, kind }
  }

  it('does those that wait in one turn, whenever they came, and gives each its own result', async () => {
    const { blocks, ask, finishAll } = newBlockQueue(10)
    const done = [...ask('o', ['x1', 'x2', 'y1']), ...ask('o', ['x3', 'y2']), ...ask('o', ['x4'])]
    await finishAll()
    expect(blocks).toEqual([
      ['x1', 'x2'],
      ['y1', 'y2'],
      ['x3', 'x4'],
    ])
    expect(await Promise.all(done)).toEqual(['X1', 'X2', 'Y1', 'X3', 'Y2', 'X4'])
  })

  it('starts no second turn about what one at a time may be about, and others meanwhile', async () => {
    const { queue, blocks, ask, finishAll, kind } = newBlockQueue(2, { ...limits, concurrency: 4 })
    const x = {}
    kind.only = (item) => (item[0] === 'x' ? x : undefined)
    const done = [
      ...ask('a', ['x1']),
      ...ask('a', ['x2']),
      ...ask('a', ['y1']),
      ...ask('a', ['x3']),
      ...ask('b', ['y2']),
      ...ask('a', ['x4']),
    ]
    expect(blocks).toEqual([['x1'], ['y1'], ['y2']])
    expect(queue.waiting).toBe(3)
    await finishAll()
    expect(blocks.slice(3)).toEqual([['x2', 'x3'], ['x4']])
    expect(await Promise.all(done)).toEqual(['X1', 'X2', 'Y1', 'X3', 'Y2', 'X4'])
  })

  it('refuses also what waits for its like when the time to close is over', async () => {
    const { queue, ask, kind } = newBlockQueue(1, { ...limits, concurrency: 4 })
    kind.only = () => kind
    const [, waiting] = ask('a', ['x1', 'x2'])
    const refused = expect(waiting).rejects.toMatchObject({ code: 'unavailable' })
    await queue.close(1)
    await refused
  })

  it('F9 does no more in a turn than allowed, and other organizations’ turns come in between', async () => {
    const { blocks, ask, finishAll } = newBlockQueue(3)
    const done = [...ask('a', ['x1', 'x2', 'x3', 'x4', 'x5', 'x6', 'x7']), ...ask('b', ['x8', 'x9'])]
    await finishAll()
    await Promise.all(done)
    expect(blocks).toEqual([['x1', 'x2', 'x3'], ['x4', 'x5', 'x6'], ['x8', 'x9'], ['x7']])
  })

  it('drops the one whose client hung up, and does the others', async () => {
    const { queue, blocks, ask, finishAll } = newBlockQueue(10)
    const client = new AbortController()
    const running = ask('a', ['x0'])
    const [dropped] = ask('a', ['x1'], client.signal)
    const others = ask('a', ['x2', 'x3'])
    client.abort()
    await expect(dropped).rejects.toMatchObject({ code: 'abandoned' })
    expect(queue.waiting).toBe(2)
    await finishAll()
    expect(blocks).toEqual([['x0'], ['x2', 'x3']])
    expect(await Promise.all([...running, ...others])).toEqual(['X0', 'X2', 'X3'])
  })

  it('counts each of them as waiting', async () => {
    const { queue, ask, finishAll } = newBlockQueue(4)
    const running = ask('a', ['x'])
    const done = ask(
      'a',
      Array.from({ length: 12 }, (_, i) => `x${i}`),
    )
    expect(queue.waiting).toBe(10)
    const settling = Promise.allSettled(done)
    await finishAll()
    await Promise.all(running)
    const statuses = (await settling).map(({ status }) => status)
    expect(statuses).toEqual([...Array(10).fill('fulfilled'), ...Array(2).fill('rejected')])
    expect(queue.waiting).toBe(0)
  })

  it('fails the one that failed, and all where the work as a whole did', async () => {
    const { queue, ask, finishAll, kind } = newBlockQueue(10)
    const settling = Promise.allSettled(ask('a', ['x1', 'x2!', 'x3']))
    await finishAll()
    expect((await settling).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    const broken = { ...kind, work: () => Promise.reject(new Error('broken')) }
    const jobs = ['x1', 'x2'].map((item) => ({ requester: { organizationId: 'a' }, item }))
    for (const job of queue.runTogether(jobs, broken)) await expect(job).rejects.toThrow('broken')
    expect(await queue.run({ organizationId: 'a' }, lightStore, async () => 'goes on')).toBe('goes on')
  })
})

describe('FairQueue with jobs of several turns', () => {
  /** A queue whose turns last until they are let go, in the order they began. */
  function newTurnQueue(concurrency: number) {
    const time = { ms: 0 }
    const queue = new FairQueue({ ...limits, concurrency, now: () => time.ms })
    const turns: string[] = []
    const release: (() => void)[] = []
    /** @param count of the turns; the first is of the weight that is given, the others are heavy */
    const ask = (
      tenant: string,
      name: string,
      count: number,
      {
        urgency = 'store',
        weight = 'heavy',
        signal,
      }: { urgency?: Urgency; weight?: Weight; signal?: AbortSignal } = {},
    ) => {
      let done = 0
      return queue.runInTurns({ organizationId: tenant, signal }, { urgency, weight }, () => {
        turns.push(count === 1 ? name : `${name}.${done}`)
        return new Promise<string | typeof again>((resolve) =>
          release.push(() => resolve(++done < count ? again : name)),
        )
      })
    }
    const light = (tenant: string, name: string, urgency: Urgency = 'search') =>
      ask(tenant, name, 1, { urgency, weight: 'light' })
    const finishOne = async () => {
      release.shift()?.()
      await new Promise((resolve) => setImmediate(resolve))
    }
    const finishAll = async () => {
      while (release.length > 0) await finishOne()
    }
    return { queue, turns, ask, light, finishOne, finishAll, time }
  }

  it('F9 alternates the steps of two organizations, and ends one text before the next of the same one', async () => {
    const { turns, ask, finishAll } = newTurnQueue(1)
    const all = [ask('a', 'a1', 3), ask('a', 'a2', 2), ask('b', 'b1', 3), ask('c', 'c1', 1)]
    await finishAll()
    expect(turns).toEqual(['a1.0', 'b1.0', 'c1', 'a1.1', 'b1.1', 'a1.2', 'b1.2', 'a2.0', 'a2.1'])
    expect(await Promise.all(all)).toEqual(['a1', 'a2', 'b1', 'c1'])
  })

  it('F9 has what is light, of anybody, go before the next step of a long text', async () => {
    const { turns, ask, light, finishOne, finishAll } = newTurnQueue(1)
    void ask('a', 'long', 4)
    void light('b', 'search of b')
    void light('c', 'store of c', 'store')
    void light('a', 'search of a')
    await finishOne()
    void light('b', 'another of b')
    await finishAll()
    expect(turns).toEqual([
      'long.0',
      'search of b',
      'store of c',
      'search of a',
      'another of b',
      'long.1',
      'long.2',
      'long.3',
    ])
  })

  it('has a long search go before the next step of a long store of the same organization', async () => {
    const { turns, ask, finishAll } = newTurnQueue(1)
    void ask('a', 'store', 2)
    void ask('a', 'search', 2, { urgency: 'search' })
    await finishAll()
    expect(turns).toEqual(['store.0', 'search.0', 'search.1', 'store.1'])
  })

  it('keeps a long text going however much else is asked for', async () => {
    const { turns, ask, light, finishOne } = newTurnQueue(1)
    void light('b', 'light')
    void ask('a', 'long', 3)
    for (let i = 0; i < 30; i++) {
      void light('b', 'light')
      await finishOne()
    }
    expect(turns.filter((turn) => turn.startsWith('long'))).toEqual(['long.0', 'long.1', 'long.2'])
  })

  it('F9 keeps a thread free of one organization, and of long texts of all, while others are active', async () => {
    const { turns, ask, light, finishOne } = newTurnQueue(3)
    void light('quiet', 'search of quiet')
    for (const name of ['a1', 'a2', 'a3']) void ask('a', name, 1)
    void ask('b', 'b1', 1)
    // a and b have two threads, quiet the third.
    expect(turns).toEqual(['search of quiet', 'a1', 'a2'])
    await finishOne()
    expect(turns).toEqual(['search of quiet', 'a1', 'a2'])
    void light('quiet', 'another')
    expect(turns).toEqual(['search of quiet', 'a1', 'a2', 'another'])
    for (const name of ['q1', 'q2', 'q3']) void light('quiet', name)
    void light('a', 'light of a')
    await finishOne()
    expect(turns.slice(4)).toEqual(['q1'])
    await finishOne()
    expect(turns.slice(4)).toEqual(['q1', 'light of a'])
  })

  it('gives an organization that is alone all threads, and one that others left', async () => {
    const { turns, ask, light, finishOne, time } = newTurnQueue(2)
    for (const name of ['a1', 'a2']) void ask('a', name, 1)
    expect(turns).toEqual(['a1', 'a2'])
    void light('b', 'b')
    for (const name of ['a3', 'a4', 'a5', 'a6']) void ask('a', name, 1)
    await finishOne()
    expect(turns).toEqual(['a1', 'a2', 'b'])
    await finishOne()
    await finishOne()
    expect(turns).toEqual(['a1', 'a2', 'b', 'a3'])
    time.ms += activeMs + 1
    await finishOne()
    expect(turns.slice(4)).toEqual(['a4', 'a5'])
  })

  it('drops the steps that are left when the client hangs up, between them or during one', async () => {
    const { queue, turns, ask, light, finishOne, finishAll } = newTurnQueue(1)
    const [waits, runs] = [new AbortController(), new AbortController()]
    const first = ask('a', 'first', 5, { signal: waits.signal })
    void light('b', 'light')
    await finishOne()
    waits.abort()
    await expect(first).rejects.toMatchObject({ code: 'abandoned' })
    expect(queue.waiting).toBe(0)
    const second = ask('a', 'second', 5, { signal: runs.signal })
    await finishOne()
    runs.abort()
    const abandoned = expect(second).rejects.toMatchObject({ code: 'abandoned' })
    await finishOne()
    await abandoned
    await finishAll()
    expect(turns).toEqual(['first.0', 'light', 'second.0'])
    expect(queue.waiting).toBe(0)
  })

  it('refuses the steps that are left when the time to close is over', async () => {
    const { queue, ask, finishOne, turns } = newTurnQueue(1)
    const long = expect(ask('a', 'long', 3)).rejects.toMatchObject({ code: 'unavailable' })
    await queue.close(1)
    await finishOne()
    await long
    expect(turns).toEqual(['long.0'])
  })
})
