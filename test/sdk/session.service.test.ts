import { AuthenticationError, ConflictError, MemoryClient, type Tokens } from 'memory-service-sdk'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { until } from '../support/until.ts'
import { fails, ok, type Step } from './scripted-server.ts'
import { newBench, rejection, stats } from './support.ts'

// No pause is longer by chance.
beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0))

const signedIn = (n: number) => ({
  ...{ access_token: `access-${n}`, refresh_token: `refresh-${n}` },
  ...{ token_type: 'bearer', expires_in: 900, mfa_required: false },
})

/** A service whose newest access token alone is good; `refresh` answers by a step of its own. */
function service(refresh: Step = (response) => ok(signedIn(2))(response, undefined as never)): [Step] {
  return [
    (response, request) => {
      if (request.path === '/v1/auth/refresh') return refresh(response, request)
      const isGood = request.headers.authorization === 'Bearer access-2'
      const wrong = request.headers.authorization === undefined ? 'Not authenticated' : 'Token expired'
      return (isGood ? ok(stats) : fails(401, wrong))(response, request)
    },
  ]
}

const tokens = { accessToken: 'access-1', refreshToken: 'refresh-1' }
const refreshesIn = (bench: { server: { received: { path: string }[] } }) =>
  bench.server.received.filter(({ path }) => path === '/v1/auth/refresh')

describe('a refresh token that is kept elsewhere', () => {
  it('gives an access token before the first request, and once the old one has expired', async () => {
    const given = ['access-1', 'access-2']
    const told: Tokens[] = []
    const renew = async () => given.shift()
    await using bench = await newBench(service(), {
      apiKey: undefined,
      renew,
      onTokens: (each) => told.push(each),
    })
    const { client } = bench
    await expect(client.text.stats()).rejects.toThrow('Token expired')
    await expect(client.text.stats()).resolves.toEqual(stats)
    expect(told.map(({ accessToken }) => accessToken)).toEqual(['access-1', 'access-2'])
    expect(refreshesIn(bench)).toEqual([])
  })

  it('gives none where nobody is signed in: the request is refused', async () => {
    await using bench = await newBench(service(), { apiKey: undefined, renew: async () => undefined })
    await expect(bench.client.text.stats()).rejects.toBeInstanceOf(AuthenticationError)
  })

  it('does not go together with a key', () => {
    const renew = async () => undefined
    expect(() => new MemoryClient({ apiKey: 'mem_live_x', renew })).toThrow('not both')
  })
})

describe('an expired access token', () => {
  it('is renewed, and the request sent again', async () => {
    const told: Tokens[] = []
    await using bench = await newBench(service(), { ...tokens, onTokens: (each) => told.push(each) })
    await expect(bench.client.text.stats()).resolves.toEqual(stats)
    expect(told).toEqual([{ accessToken: 'access-2', refreshToken: 'refresh-2' }])
    expect(bench.client.tokens).toEqual(told[0])
    const [refresh] = refreshesIn(bench)
    expect(JSON.parse((refresh as { body?: string }).body ?? '')).toEqual({ refresh_token: 'refresh-1' })
    expect(bench.waits).toEqual([])
  })

  it('is renewed once for all requests that meet it', async () => {
    await using bench = await newBench(service(), tokens)
    const answers = await Promise.all(Array.from({ length: 20 }, () => bench.client.text.stats()))
    expect(answers).toEqual(Array(20).fill(stats))
    expect(refreshesIn(bench)).toHaveLength(1)
  })

  it('is not renewed by a request that was refused before another renewed it', async () => {
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    let number = 0
    await using bench = await newBench(
      [
        async (response, request) => {
          const isFirst = number++ === 0
          if (isFirst) await held
          service()[0](response, request)
        },
      ],
      tokens,
    )
    const late = bench.client.text.stats()
    await until(() => number === 1, 'the first request')
    await bench.client.text.stats()
    release()
    await expect(late).resolves.toEqual(stats)
    expect(refreshesIn(bench)).toHaveLength(1)
  })

  it('without a refresh token is an error', async () => {
    await using bench = await newBench(service(), { accessToken: 'access-1' })
    expect(await rejection(bench.client.text.stats())).toMatchObject({ status: 401, detail: 'Token expired' })
  })

  it('is an error of the refresh when that is refused, and the refresh token is not presented again', async () => {
    const told: Tokens[] = []
    await using bench = await newBench(service(fails(401, 'Token revoked')), {
      ...tokens,
      onTokens: (each) => told.push(each),
    })
    const errors = await Promise.all([
      rejection(bench.client.text.stats()),
      rejection(bench.client.text.stats()),
    ])
    for (const error of errors) {
      expect(error).toBeInstanceOf(AuthenticationError)
      expect(error).toMatchObject({ detail: 'Token revoked' })
    }
    expect(await rejection(bench.client.text.stats())).toMatchObject({ detail: 'Token expired' })
    expect(refreshesIn(bench)).toHaveLength(1)
    expect(told).toEqual([{ accessToken: 'access-1', refreshToken: undefined }])
  })

  it('keeps the refresh token when the refresh failed for another reason', async () => {
    await using bench = await newBench(service(fails(409, 'Refresh already in progress')), tokens)
    expect(await rejection(bench.client.text.stats())).toBeInstanceOf(ConflictError)
    expect(bench.client.tokens).toEqual(tokens)
  })

  it('does not repeat a refresh that may have used the token, and the next call tries it again', async () => {
    let number = 0
    const refresh: Step = (response, request) =>
      (number++ === 0 ? fails(503, 'Service unavailable') : ok(signedIn(2)))(response, request)
    await using bench = await newBench(service(refresh), tokens)
    expect(await rejection(bench.client.text.stats())).toMatchObject({ status: 503 })
    expect(bench.waits).toEqual([])
    await expect(bench.client.text.stats()).resolves.toEqual(stats)
  })

  it('is renewed for the others when one of those who wait is aborted', async () => {
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const refresh: Step = async (response, request) => {
      await held
      ok(signedIn(2))(response, request)
    }
    await using bench = await newBench(service(refresh), tokens)
    const controller = new AbortController()
    const aborted = rejection(bench.client.text.stats({ signal: controller.signal }))
    const other = bench.client.text.stats()
    await until(() => refreshesIn(bench).length === 1, 'the refresh')
    controller.abort()
    expect(await aborted).toMatchObject({ name: 'AbortError' })
    release()
    await expect(other).resolves.toEqual(stats)
  })

  it('is renewed before the first request where there is only a refresh token', async () => {
    await using bench = await newBench(
      [
        (response, request) =>
          request.headers.authorization === undefined && request.path !== '/v1/auth/refresh'
            ? fails(401, 'Not authenticated')(response, request)
            : service()[0](response, request),
      ],
      { apiKey: undefined, refreshToken: 'refresh-1' },
    )
    await expect(bench.client.text.stats()).resolves.toEqual(stats)
  })

  it('of another kind is not renewed: a wrong one, a revoked one, an API key', async () => {
    for (const detail of ['Invalid token', 'Token revoked']) {
      await using bench = await newBench([fails(401, detail)], tokens)
      expect(await rejection(bench.client.text.stats())).toMatchObject({ detail })
      expect(bench.server.received).toHaveLength(1)
    }
    await using bench = await newBench([fails(401, 'Token expired')])
    expect(await rejection(bench.client.text.stats())).toMatchObject({ detail: 'Token expired' })
  })
})

describe('signing in and out', () => {
  it('gives the client its tokens, and takes them', async () => {
    const told: Tokens[] = []
    await using bench = await newBench([ok(signedIn(1))], {
      apiKey: undefined,
      organizationId: 'org',
      environment: 'test',
      onTokens: (each) => told.push(each),
    })
    await bench.client.auth.login({ email: 'ada@example.com', password: 'an analytical engine' })
    await bench.client.auth.logout()
    await bench.client.text.stats()
    expect(told).toEqual([
      { accessToken: 'access-1', refreshToken: 'refresh-1' },
      { accessToken: undefined, refreshToken: undefined },
    ])
    expect(bench.server.received.map(({ headers }) => headers.authorization)).toEqual([
      undefined,
      'Bearer access-1',
      undefined,
    ])
    // Who has left the organization meanwhile can still sign out.
    expect(bench.server.received[1]?.headers).not.toHaveProperty('x-organization-id')
    expect(bench.server.received.at(-1)?.headers).toMatchObject({
      'x-organization-id': 'org',
      'x-memory-environment': 'test',
    })
  })

  it('gives it none where a second factor is asked for', async () => {
    const half = { mfa_required: true, mfa_token: 'half', access_token: null, refresh_token: null }
    await using bench = await newBench([ok(half)], { apiKey: undefined })
    await expect(bench.client.auth.login({ email: 'a@b.c', password: 'x' })).resolves.toEqual(half)
    expect(bench.client.tokens).toEqual({ accessToken: undefined, refreshToken: undefined })
  })
})
