import { gateOf } from '@memory/engine/modulation'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { auditOf, outboxOf } from '../../organizations/support.ts'
import { newUser } from '../../support/accounts.ts'
import { newConformingClient } from '../../support/conforms.ts'
import { startServer, type TestServer } from '../../support/server.ts'
import { faultsOf, inSpace } from '../space.ts'
import {
  calibratePath,
  inject,
  injectPath,
  read,
  readRegimes,
  readSignals,
  regimePath,
  statePath,
} from './space.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server.close())

describe('the regime of a space', () => {
  it('is normal before anything has happened', async () => {
    const ada = await newConformingClient(server)
    const regime = await read(ada, regimePath)
    expect(regime).toEqual({
      regime: 'normal',
      anomaly_active: false,
      policy_overrides: {
        force_exact: false,
        bypass_consolidation: false,
        learning_rate_multiplier: 0.5 + gateOf(0),
      },
      modulation_signal: 0,
    })
    const createdAt = await inSpace(server, ada, async (trx, { id }) => {
      const spaces = trx.withSchema('app').selectFrom('spaces')
      return (await spaces.select('created_at').where('id', '=', id).executeTakeFirstOrThrow()).created_at
    })
    expect(await read(ada, statePath)).toEqual({
      signal: 0,
      gate: gateOf(0),
      regime: 'normal',
      calibration: { ema_mean: 0.5, ema_std: 0.25, last_calibrated: createdAt.toISOString() },
    })
    expect(await readRegimes(ada)).toEqual({
      history: [],
      timestamps: [],
      distribution: { normal: 0, high_surprise: 0, anomaly: 0, recovery: 0 },
      transitions: 0,
    })
    expect(await readSignals(ada)).toEqual({ signals: [], gates: [], timestamps: [] })
  })

  it('is an anomaly from an injection on, then a recovery, then normal', async () => {
    const ada = await newConformingClient(server)
    expect(await inject(ada)).toEqual({
      anomaly_triggered: true,
      previous_regime: 'normal',
      new_regime: 'anomaly',
      burst_duration: 20,
    })
    const anomaly = await read(ada, regimePath)
    expect(anomaly).toMatchObject({
      regime: 'anomaly',
      anomaly_active: true,
      policy_overrides: { force_exact: true, bypass_consolidation: true, learning_rate_multiplier: 0.1 },
    })
    expect(anomaly.modulation_signal).toBeLessThanOrEqual(3)
    expect(anomaly.modulation_signal).toBeGreaterThan(0.5)

    server.clock.advance(20_000)
    const recovery = await read(ada, regimePath)
    expect(recovery).toMatchObject({
      regime: 'recovery',
      anomaly_active: false,
      policy_overrides: { force_exact: true, bypass_consolidation: true, learning_rate_multiplier: 0.5 },
    })
    // Twenty seconds at least, and those that the test itself took.
    expect(recovery.modulation_signal).toBeLessThanOrEqual(3 * 0.8 ** 20 + 1e-12)
    expect(recovery.modulation_signal).toBeGreaterThan(0)

    server.clock.advance(10_000)
    expect(await read(ada, regimePath)).toMatchObject({
      regime: 'normal',
      policy_overrides: { force_exact: false, bypass_consolidation: false },
    })
  })

  it('is not held in an anomaly by a clock that was set back', async () => {
    const ada = await newConformingClient(server)
    server.clock.advance(3_600_000)
    await inject(ada)
    server.clock.advance(-3_600_000)
    expect(await read(ada, regimePath)).toMatchObject({
      regime: 'normal',
      policy_overrides: { force_exact: false, bypass_consolidation: false },
    })
    expect(await inject(ada)).toMatchObject({ previous_regime: 'normal', burst_duration: 20 })
    expect((await read(ada, regimePath)).regime).toBe('anomaly')
    server.clock.advance(20_000)
    expect((await read(ada, regimePath)).regime).not.toBe('anomaly')
  })

  it('is not moved by being read', async () => {
    const ada = await newConformingClient(server)
    await inject(ada, { magnitude: 1 })
    server.clock.advance(3_600_000)
    const [regimes, signals] = [await readRegimes(ada), await readSignals(ada)]
    for (const path of [regimePath, statePath]) await read(ada, path)
    expect([await readRegimes(ada), await readSignals(ada)]).toEqual([regimes, signals])
    expect(regimes.history).toEqual(['anomaly', 'recovery', 'normal'])
    expect(regimes.transitions).toBe(2)
    expect(regimes.timestamps).toEqual(signals.timestamps)
    // What reading showed is written with the next change, once, and at the same times.
    await inject(ada, { magnitude: 0 })
    expect((await readRegimes(ada)).history).toEqual([...regimes.history, 'anomaly'])
    const written = await readSignals(ada)
    expect(written.timestamps.slice(0, 3)).toEqual(signals.timestamps)
    const [from, until, end] = written.timestamps.map((time: string) => Date.parse(time))
    expect([until - from, end - until]).toEqual([10_000, 10_000])
  })

  it('belongs to one space: neither to the test space, nor to that of somebody else', async () => {
    const ada = await newConformingClient(server)
    const { organizationId } = ada
    const trial = await newConformingClient(server, { organizationId, environment: 'test' })
    const ben = await newConformingClient(server)
    await inject(ada)
    for (const other of [trial, ben]) {
      expect((await read(other, regimePath)).regime).toBe('normal')
      expect((await readRegimes(other)).history).toEqual([])
    }
    await inject(trial, { magnitude: 0 })
    expect((await readRegimes(trial)).history).toEqual(['anomaly'])
    expect((await readRegimes(ada)).history).toEqual(['anomaly'])
  })
})

describe('POST /v1/memory/regime/inject-anomaly', () => {
  it.each([
    [{ magnitude: 0 }, 5],
    [{ magnitude: 0.3 }, 7],
    [{ magnitude: 100 }, 505],
    [{}, 20],
  ])('%j lasts %d steps', async (body, burst) => {
    const ada = await newConformingClient(server)
    expect(await inject(ada, body)).toMatchObject({ burst_duration: burst, new_regime: 'anomaly' })
  })

  it('again within an anomaly is one more record, and no change of the regime', async () => {
    const ada = await newConformingClient(server)
    const answers = await Promise.all([inject(ada), inject(ada), inject(ada)])
    const before = answers.map(({ previous_regime }) => previous_regime)
    expect(before.toSorted()).toEqual(['anomaly', 'anomaly', 'normal'])
    const { history, transitions, distribution } = await readRegimes(ada)
    expect([history, transitions]).toEqual([['anomaly', 'anomaly', 'anomaly'], 0])
    expect(distribution).toEqual({ normal: 0, high_surprise: 0, anomaly: 1, recovery: 0 })
    const { signals } = await readSignals(ada)
    // Each rises by three, and decays by a fifth in a second.
    expect(signals[0]).toBe(3)
    expect(signals[2]).toBeGreaterThan(5)
    expect(signals[2]).toBeLessThanOrEqual(9)
    expect(await outboxOf(server, ada, 'memory.regime_changed')).toHaveLength(1)
  })

  it('stands in the audit log of the organization, and tells of the change through the outbox', async () => {
    const ada = await newUser(server)
    await inject(ada, { magnitude: 2 })
    const entries = await auditOf(server, ada, /^anomaly_injected$/)
    expect(entries).toMatchObject([
      {
        actor: 'user',
        actor_id: ada.userId,
        success: true,
        details: { magnitude: 2, burst_duration: 15, previous_regime: 'normal', environment: 'live' },
      },
    ])
    server.clock.advance(60_000)
    await inject(ada)
    const events = await outboxOf(server, ada, 'memory.regime_changed')
    expect(events.map(({ payload }) => payload)).toMatchObject([
      { from: 'normal', to: 'anomaly' },
      { from: 'anomaly', to: 'recovery' },
      { from: 'recovery', to: 'normal' },
      { from: 'normal', to: 'anomaly' },
    ])
  })

  it.each([regimePath, '/v1/memory/regime/history', '/v1/memory/neuromodulation/state'])(
    'tells of the end that time has brought once, when %s is looked at',
    async (path) => {
      const ada = await newUser(server)
      await inject(ada, { magnitude: 2 })
      server.clock.advance(60_000)
      const answers = await Promise.all(Array.from({ length: 4 }, () => ada.get(path)))
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
      const before = (await readRegimes(ada)).history
      const events = await outboxOf(server, ada, 'memory.regime_changed')
      expect(events.map(({ payload }) => payload)).toMatchObject([
        { from: 'normal', to: 'anomaly' },
        { from: 'anomaly', to: 'recovery' },
        { from: 'recovery', to: 'normal' },
      ])
      expect(before.slice(-1)).toEqual(['normal'])
      expect((await readRegimes(ada)).history).toEqual(before)
    },
  )

  it.each([
    [{ magnitude: -0.1 }, 'greater_than_equal'],
    [{ magnitude: 100.1 }, 'less_than_equal'],
    [{ magnitude: '3' }, 'float_type'],
    [{ magnitude: null }, 'float_type'],
    [{ magnitude: true }, 'float_type'],
  ])('refuses %j', async (body, type) => {
    const ada = await newConformingClient(server)
    expect(faultsOf(await ada.post(injectPath, body))).toMatchObject([{ type, loc: ['body', 'magnitude'] }])
    expect((await readRegimes(ada)).history).toEqual([])
  })
})

it('reading needs memory:read, injecting and calibrating memory:write', async () => {
  const reader = await newConformingClient(server, { scopes: ['memory:read'] })
  for (const path of [injectPath, calibratePath]) {
    const { status, body } = await reader.post(path)
    expect([status, body.detail]).toEqual([403, 'Insufficient scope: memory:write required'])
  }
  expect((await reader.get(regimePath)).status).toBe(200)
  const writer = await newConformingClient(server, { scopes: ['memory:write'] })
  expect((await writer.post(injectPath)).status).toBe(200)
  for (const path of [regimePath, statePath, `${regimePath}/history`]) {
    expect((await writer.get(path)).status).toBe(403)
  }
})
