import { parameters } from '@memory/engine/parameters'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Client } from '../../support/client.ts'
import { onPostgres } from '../../support/database.ts'
import { startServer, type TestServer } from '../../support/server.ts'
import { getSpace } from '../space.ts'
import { flush, readLearned, search } from './space.ts'

const recallPath = '/v1/memory/text/recall'
const { answeredStrength, answeredMost } = parameters.learning

describe.runIf(onPostgres)('two instances over one database', () => {
  let servers: [TestServer, TestServer]

  beforeAll(async () => {
    const first = await startServer()
    servers = [first, await startServer({ DATABASE_URL: first.databaseUrl as string })]
  })

  afterAll(async () => {
    await servers?.[1].close()
    await servers?.[0].close()
  })

  const facts = ['Ada moved to Lisbon in May.', 'The printer is out of toner.', 'Bread needs yeast.']

  /** One organization’s clients, one of each instance. */
  async function newClients() {
    const here = await servers[0].newClient()
    const there = new Client(servers[1].url, here)
    const ids = await here.store(facts)
    for (const client of [here, there]) await search(client, 'Ada', { path: recallPath })
    for (const server of servers) await flush(server)
    return { here, there, ids }
  }

  it('add up what each of them has seen', async () => {
    const { here, there } = await newClients()
    const before = await readLearned(servers[0], here)
    const rounds = 4
    const actors = 25
    const work = async (client: Client, server: TestServer, name: string) => {
      for (let round = 0; round < rounds; round++) {
        for (let n = 0; n < actors; n++) {
          const actor = `${name} ${round} ${n}`
          await search(client, 'Who moved to Lisbon?', { top_k: 1, actor })
          await search(client, 'Is there toner?', { top_k: 1, actor })
        }
        await flush(server)
      }
    }
    await Promise.all([work(here, servers[0], 'here'), work(there, servers[1], 'there')])
    const after = await readLearned(servers[0], here)
    const steps = 2 * rounds * actors
    // The first fades by 1e-6 until the last.
    expect(after.transitions.get('0>1')).toBeCloseTo(steps, 1)
    expect(after.transitions.size).toBe(1)
    for (const idx of [0, 1]) {
      const count = (all: typeof after) => all.accesses.get(idx)?.access_count ?? 0
      const lacking = (all: typeof after) => answeredMost - (all.accesses.get(idx)?.strength ?? 0.5)
      expect(count(after) - count(before)).toBe(steps)
      expect(lacking(after)).toBeCloseTo(lacking(before) * (1 - answeredStrength) ** steps, 12)
    }
    expect(after.traces.length - before.traces.length).toBe(steps)
  })

  it.each([
    ['an end user is erased', (here: Client) => here.delete('/v1/memory/subjects/carol')],
    ['the space is emptied', (here: Client) => here.delete('/v1/memory/patterns?confirm=all')],
  ])('keep nothing of what the other has yet to write when %s', async (_name, erase) => {
    const here = await servers[0].newClient()
    const there = new Client(servers[1].url, here)
    await here.store([{ text: 'Carol has diabetes.', subject: 'carol' }, { text: 'Bread needs yeast.' }])
    const ask = () => search(there, 'Which illness does Carol have?', { path: recallPath })
    await ask()
    await search(there, 'Who is ill?', { subject: 'carol' })
    expect((await erase(here)).status).toBe(200)
    for (const server of servers) await flush(server)
    const { id } = await getSpace(servers[0], here)
    const state = () => servers[0].context.memory.learning.read(id)
    expect(await state()).toMatchObject({ asked: { mean: [], count: 0 }, lastTop: null })
    expect((await readLearned(servers[0], here)).traces).toEqual([])
    await ask()
    await flush(servers[1])
    expect((await state()).asked.count).toBe(1)
  })

  it('obey a regime at once, wherever it was injected', async () => {
    const { here, there } = await newClients()
    const recallThere = async () => (await there.post(recallPath, { query: 'Where is Ada?' })).body.info
    expect(await recallThere()).toMatchObject({ pathway: 'attention', regime: 'normal' })
    await here.post('/v1/memory/regime/inject-anomaly', { magnitude: 10 })
    expect(await recallThere()).toMatchObject({ pathway: 'exact', regime: 'anomaly' })
    expect((await there.get('/v1/memory/regime')).body).toMatchObject({
      regime: 'anomaly',
      anomaly_active: true,
    })
    await there.post('/v1/memory/neuromodulation/calibrate', {})
    expect((await here.get('/v1/memory/brain')).body.regime).toBe(
      (await there.get('/v1/memory/brain')).body.regime,
    )
  })

  it('score alike, and as one that is started now, what either has answered', async () => {
    const { here, there } = await newClients()
    const { id } = await getSpace(servers[0], here)
    const rounds: [Client, string][] = [
      [here, 'Ada'],
      [there, 'toner'],
      [here, 'yeast'],
      [there, 'Lisbon'],
    ]
    for (const [n, [client, query]] of rounds.entries()) {
      // Half of them are learned from, and not counted; an answer of one pattern changes no other's use.
      for (let i = 0; i < 3; i++)
        await search(client, `${query} ${i}`, { path: recallPath, top_k: 1 + (n % 3) })
      for (const server of servers) await flush(server)
    }
    const caches = servers.map(({ context }) => context.memory.learned)
    const scores = async (client: Client) => {
      const request = { query: 'Where is Ada?', top_k: 3, read_only: true, explain: true }
      const { status, body } = await client.post(recallPath, request)
      expect(status).toBe(200)
      return body.results.map(
        ({ pattern_id, scores }: { pattern_id: string; scores: { salience: number } }) => [
          pattern_id,
          scores.salience,
        ],
      )
    }
    // What they hold is what either read for its last answer.
    await Promise.all([scores(here), scores(there)])
    const uses = await Promise.all(caches.map(async (cache) => [...(await cache.get(id, 0)).uses()]))
    for (const cache of caches) cache.drop(id)
    const anew = [...((await caches[0]?.get(id, 0)) ?? expect.fail()).uses()]
    const byIdx = (all: typeof anew) => all.toSorted((a, b) => a.idx - b.idx)
    expect(anew.reduce((sum, { count }) => sum + count, 0)).toBeGreaterThan(rounds.length)
    for (const held of uses) expect(byIdx(held)).toEqual(byIdx(anew))
    // The mean over a space is measured anew every ten seconds: with what is held now, on both sides.
    const [ofHere, ofThere] = [await scores(here), await scores(there)]
    expect(ofThere.map(([name]: [string]) => name)).toEqual(ofHere.map(([name]: [string]) => name))
    for (const [i, [, salience]] of ofHere.entries()) expect(ofThere[i][1]).toBeCloseTo(salience, 4)
  })

  it('predict from what the other has learned', async () => {
    const { here, there, ids } = await newClients()
    const predict = async () => {
      const { body } = await there.post('/v1/memory/text/predict', { query: 'Who moved to Lisbon?' })
      return body.predictions as { pattern_id: string; strength: number }[]
    }
    const strength = async () =>
      (await predict()).find(({ pattern_id }) => pattern_id === ids[2])?.strength ?? 0
    const before = await strength()
    for (let n = 0; n < 5; n++) {
      await search(here, `Who moved to Lisbon? ${n}`, { top_k: 1, actor: `${n}` })
      await search(here, `What does bread need? ${n}`, { top_k: 1, actor: `${n}` })
    }
    await flush(servers[0])
    expect((await predict())[0]?.pattern_id).toBe(ids[2])
    expect(await strength()).toBeGreaterThan(before + 0.3)
  })

  it('recall each other’s texts by their new words at once, and not by their old ones', async () => {
    const { here, there, ids } = await newClients()
    const hits = async (query: string) => (await there.post(recallPath, { query })).body.info.lexical_hits
    expect(await hits('toner')).toBe(1)
    await here.patch(`/v1/memory/patterns/${ids[1]}`, { text: 'The kettle leaks.' })
    expect([await hits('toner'), await hits('kettle')]).toEqual([0, 1])
    await here.store(['A zeppelin landed.'])
    expect(await hits('zeppelin')).toBe(1)
    expect((await search(there, 'zeppelin', { path: recallPath, top_k: 1 }))[0]).toMatchObject({
      text: 'A zeppelin landed.',
    })
    await here.delete(`/v1/memory/patterns/${ids[1]}`)
    expect(await hits('kettle')).toBe(0)
    await here.delete('/v1/memory/patterns?confirm=all')
    expect(await hits('zeppelin')).toBe(0)
    expect(await search(there, 'zeppelin', { path: recallPath })).toEqual([])
  })

  it('forget in memory what the other has forgotten', async () => {
    const { here, there, ids } = await newClients()
    for (const [n, query] of ['Lisbon', 'toner', 'yeast', 'Ada'].entries()) {
      await search(here, `${query} ${n}`, { top_k: 3 })
    }
    await flush(servers[0])
    await search(there, 'Ada', { path: recallPath })
    const { id } = await getSpace(servers[0], here)
    const held = () => servers[1].context.memory.learned.get(id, 0)
    expect((await held()).associatesOf(1).size).toBeGreaterThan(0)
    await here.delete(`/v1/memory/patterns/${ids[1]}`)
    await search(there, 'Ada', { path: recallPath })
    const learning = await held()
    expect(learning.associatesOf(1).size).toBe(0)
    expect([...learning.uses()].map(({ idx }) => idx).toSorted()).toEqual([0, 2])
    for (const [source, targets] of learning.transitions) {
      expect(source).not.toBe(1)
      expect([...targets.keys()]).not.toContain(1)
    }
  })
})
