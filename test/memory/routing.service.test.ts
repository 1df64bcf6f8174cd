import { parameters } from '@memory/engine/parameters'
import { pathways } from '@memory/engine/routing'
import type { AttentionScore, ScoreByAttention } from '@memory/memory/routing/pathway-views'
import { decideRouting, evaluateEfe } from '@memory/memory/routing/routing'
import { DecideRouting, EvaluateEfe } from '@memory/memory/routing/schema'
import { searchTexts } from '@memory/memory/texts/search-texts'
import type { Caller } from '@memory/shared/catalogue/operation'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newConformingClient } from '../support/conforms.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { faultsOf, getSpace } from './space.ts'

type User = Awaited<ReturnType<TestServer['newClient']>>

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server.close())

/** The caller that a client is. */
async function callerOf(user: User): Promise<Caller> {
  const { id } = await getSpace(server, user)
  return {
    actor: { kind: 'key', keyId: 'test' },
    origin: { requestId: 'test', ip: null, userAgent: null, isLocal: false },
    organizationId: user.organizationId,
    environment: 'live',
    spaceId: id,
    spaceVersion: 0,
    engineVersion: 0,
    user: 'ada',
    patternsLimit: -1,
    scopes: null,
  }
}

/** Attention that looks for a word, and otherwise at nothing. */
const lookingFor =
  (word: string): ScoreByAttention =>
  async (context, caller, { vector }) => {
    const index = await context.spaces.get(caller.spaceId, caller.spaceVersion)
    const { labels, scores } = await searchTexts(context, caller, index, vector, { k: 1_000, minScore: -1 })
    const payloads = await context.payloads.find(caller.spaceId, index, labels, { value: false })
    const scored = Array.from(labels, (idx, i): AttentionScore => {
      const isMeant = payloads.get(idx)?.text?.includes(word) ?? false
      return { idx, cosine: scores[i] as number, score: isMeant ? 10 : 0 }
    })
    return scored.toSorted((a, b) => b.score - a.score || a.idx - b.idx)
  }

async function decide(user: User, query: string, background?: string, word = 'nothing') {
  const body = DecideRouting.body.parse({ query, ...(background !== undefined && { context: background }) })
  const answer = await decideRouting(server.context.memory, await callerOf(user), body, lookingFor(word))
  return DecideRouting.response.parse(answer)
}

async function evaluate(user: User, query: string, rest: object = {}, word = 'nothing') {
  const body = EvaluateEfe.body.parse({ query, ...rest })
  const answer = await evaluateEfe(server.context.memory, await callerOf(user), body, lookingFor(word))
  return EvaluateEfe.response.parse(answer)
}

const facts = [
  'Ada moved to Lisbon in May.',
  'Ada is allergic to peanuts.',
  'The server room is on the third floor.',
  'Bob prefers tea to coffee.',
  'The invoice of March is unpaid.',
  'Carla teaches physics in Porto.',
  'The train to Madrid leaves at nine.',
  'Dora plays the cello on Sundays.',
]

describe('POST /v1/memory/routing/decide and /v1/memory/efe/evaluate', () => {
  it('answer by what recall makes of the texts', async () => {
    const ada = await newConformingClient(server)
    await ada.store(facts)
    const decided = await ada.post('/v1/memory/routing/decide', {
      query: 'Where does Ada live?',
      context: null,
    })
    expect(decided.status).toBe(200)
    const { scores, pathway, confidence } = decided.body
    expect(scores.exact + scores.energy + scores.attention).toBeCloseTo(1, 9)
    expect(confidence).toBe(scores[pathway])
    const evaluated = await ada.post('/v1/memory/efe/evaluate', { query: 'Where does Ada live?' })
    expect(evaluated.status).toBe(200)
    expect(Object.keys(evaluated.body.evaluations)).toEqual([...pathways])
    expect(pathways).toContain(evaluated.body.recommended)
  })

  it('refuse a query that says nothing, and pathways that there are none of', async () => {
    const ada = await newConformingClient(server)
    for (const path of ['routing/decide', 'efe/evaluate']) {
      expect((await ada.post(`/v1/memory/${path}`, { query: ' ' })).status).toBe(422)
    }
    const long = await ada.post('/v1/memory/routing/decide', { query: 'x', context: 'y'.repeat(5_001) })
    expect(faultsOf(long)).toMatchObject([{ type: 'string_too_long', loc: ['body', 'context'] }])
    const none = await ada.post('/v1/memory/efe/evaluate', { query: 'x', pathways: [] })
    expect(faultsOf(none)).toMatchObject([{ type: 'too_short', loc: ['body', 'pathways'] }])
    const unknown = await ada.post('/v1/memory/efe/evaluate', { query: 'x', pathways: ['exact', 'fast'] })
    expect(faultsOf(unknown)).toMatchObject([{ type: 'enum', loc: ['body', 'pathways', 1] }])
  })
})

describe('routing/decide', () => {
  it('decides for the pathway of least expected free energy', async () => {
    const ada = await server.newClient()
    await ada.store(facts)
    for (const query of ['Where does Ada live?', facts[3] as string, 'What is a quark?']) {
      const { pathway, scores, confidence, geometric_surprise } = await decide(ada, query)
      expect(scores.exact + scores.energy + scores.attention).toBeCloseTo(1, 9)
      expect(confidence).toBe(Math.max(...Object.values(scores)))
      expect(scores[pathway]).toBe(confidence)
      const { evaluations, recommended } = await evaluate(ada, query)
      const powers = pathways.map((name) => Math.exp(-(evaluations[name]?.efe as number)))
      const total = powers.reduce((sum, power) => sum + power)
      // The measured costs move between two requests.
      expect(scores.exact).toBeCloseTo((powers[0] as number) / total, 1)
      expect(evaluations[recommended]?.efe).toBe(
        Math.min(...Object.values(evaluations).map(({ efe }) => efe)),
      )
      expect(geometric_surprise).toBeGreaterThanOrEqual(0)
    }
  })

  it('takes attention where it alone tells the texts apart', async () => {
    const ada = await server.newClient()
    await ada.store(facts)
    expect((await decide(ada, 'Tell me something.', undefined, 'cello')).pathway).toBe('attention')
    expect((await decide(ada, 'Tell me something.')).pathway).not.toBe('attention')
  })

  it('is not surprised by a text that is stored, and is by another', async () => {
    const ada = await server.newClient()
    await ada.store(facts)
    const known = await decide(ada, facts[0] as string)
    expect(known.geometric_surprise).toBeCloseTo(0, 2)
    const other = await decide(ada, 'Photosynthesis turns light into sugar.')
    expect(other.geometric_surprise).toBeGreaterThan(0.5)
  })

  it('reads the query in its context', async () => {
    const ada = await server.newClient()
    await ada.store(facts)
    const alone = await decide(ada, 'And what does she avoid?')
    const within = await decide(ada, 'And what does she avoid?', 'Ada is allergic to something.')
    expect(within.geometric_surprise).toBeLessThan(alone.geometric_surprise)
    expect(await decide(ada, 'And what does she avoid?', ' ')).toMatchObject({
      geometric_surprise: alone.geometric_surprise,
    })
  })

  it('is undecided in an empty space, where everything is new', async () => {
    const ada = await server.newClient()
    const third = expect.closeTo(1 / 3, 9)
    expect(await decide(ada, 'Anything?')).toEqual({
      pathway: 'exact',
      scores: { exact: third, energy: third, attention: third },
      geometric_surprise: 1,
      confidence: third,
    })
  })

  it('is exact in an anomaly, whatever promises more', async () => {
    const ada = await server.newClient()
    await ada.store(facts)
    const { status } = await ada.post('/v1/memory/regime/inject-anomaly', { magnitude: 5 })
    expect(status).toBe(200)
    const { pathway, scores, confidence } = await decide(ada, 'Tell me something.', undefined, 'cello')
    expect(pathway).toBe('exact')
    expect(confidence).toBe(scores.exact)
    expect(scores.attention).toBeGreaterThan(scores.exact)
  })
})

describe('efe/evaluate', () => {
  it('is the sum of its parts, for the pathways asked for', async () => {
    const ada = await server.newClient()
    await ada.store(facts)
    const { evaluations, recommended } = await evaluate(ada, 'Who likes tea?', {
      pathways: ['energy', 'exact', 'energy'],
    })
    expect(Object.keys(evaluations).toSorted()).toEqual(['energy', 'exact'])
    for (const { efe, epistemic_value, pragmatic_value } of Object.values(evaluations)) {
      expect(efe).toBeCloseTo(-epistemic_value - pragmatic_value, 12)
      expect(epistemic_value).toBeGreaterThan(0)
      expect(pragmatic_value).toBeLessThan(0)
    }
    expect(['energy', 'exact']).toContain(recommended)
    const alone = await evaluate(ada, 'Who likes tea?', { pathways: ['attention'] })
    expect(alone.recommended).toBe('attention')
  })

  it('gives nothing to learn and the lowest preference in an empty space', async () => {
    const ada = await server.newClient()
    const { evaluations, recommended } = await evaluate(ada, 'Anything?')
    const { preferenceSlope, preferenceMiddle } = parameters.routing
    const lowest = -Math.log1p(Math.exp(preferenceSlope * (1 + preferenceMiddle)))
    for (const pathway of pathways) {
      expect(evaluations[pathway]).toEqual({
        efe: expect.closeTo(-lowest, 9),
        epistemic_value: 0,
        pragmatic_value: expect.closeTo(lowest, 9),
      })
    }
    expect(recommended).toBe('exact')
  })

  it('needs a pathway that there is', () => {
    for (const wanted of [[], ['fast'], 'exact', null]) {
      expect(EvaluateEfe.body.safeParse({ query: 'x', pathways: wanted }).success).toBe(false)
    }
    expect(EvaluateEfe.body.parse({ query: 'x' }).pathways).toEqual(['exact', 'energy', 'attention'])
  })
})
