import { gateOf } from '@memory/engine/modulation'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newConformingClient } from '../../support/conforms.ts'
import { startServer, type TestServer } from '../../support/server.ts'
import { faultsOf } from '../space.ts'
import { calibratePath, inject, listSurprises, read, readRegimes, readSignals, statePath } from './space.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server.close())

describe('the histories', () => {
  it('have a record for each search and each stored pattern, in the order of time', async () => {
    const ada = await newConformingClient(server)
    expect(await ada.retrieve('Where does Ada live?')).toEqual([])
    await ada.store([
      'Ada moved to Lisbon in May.',
      'The cat sleeps on the roof.',
      'Rates rose by half a percent.',
    ])
    // What is new about a pattern is found out after its answer; reading waits for it. The search of an empty space
    // could meet nothing.
    expect((await readRegimes(ada)).history).toHaveLength(3)
    await ada.retrieve('Where does Ada live?')
    await ada.retrieve('Ada moved to Lisbon in May.')
    const { history, distribution } = await readRegimes(ada)
    expect(history).toHaveLength(5)
    expect(Object.values<number>(distribution).reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 12)
    const { signals, gates, timestamps } = await readSignals(ada)
    expect(gates).toEqual(signals.map(gateOf))
    expect(timestamps).toEqual(timestamps.toSorted())
    expect((await read(ada, statePath)).signal).toBe(signals.at(-1))
    const surprises = await listSurprises(server, ada)
    // Of a batch in an empty space the first is new; a text that is there is not.
    expect(Math.max(...surprises.slice(0, 3))).toBe(1)
    expect(Math.min(...surprises.slice(0, 3))).toBeLessThan(1)
    expect(surprises[3]).toBeGreaterThan(0.1)
    expect(surprises[4]).toBeLessThan(0.02)
  })

  it('show the last ones asked for', async () => {
    const ada = await newConformingClient(server)
    for (let i = 0; i < 4; i++) await inject(ada, { magnitude: i })
    const all = await readSignals(ada)
    const last = await readSignals(ada, 2)
    expect(last).toEqual({
      signals: all.signals.slice(-2),
      gates: all.gates.slice(-2),
      timestamps: all.timestamps.slice(-2),
    })
    expect((await readRegimes(ada, 1)).history).toEqual(['anomaly'])
  })

  it.each([
    ['regime/history', 'last_n'],
    ['neuromodulation/history', 'window'],
  ])('%s takes %s from 1 to 1,000', async (path, name) => {
    const ada = await newConformingClient(server)
    const ask = (value: string) => ada.get(`/v1/memory/${path}?${name}=${value}`)
    expect((await ask('1')).status).toBe(200)
    expect((await ask('1000')).status).toBe(200)
    expect(faultsOf(await ask('0'))).toMatchObject([{ type: 'greater_than_equal', loc: ['query', name] }])
    expect(faultsOf(await ask('1001'))).toMatchObject([{ type: 'less_than_equal' }])
    expect(faultsOf(await ask('many'))).toMatchObject([{ type: 'int_parsing' }])
  })
})

describe('POST /v1/memory/neuromodulation/calibrate', () => {
  it('of a space without ten searches answers the statistics of the start', async () => {
    const ada = await newConformingClient(server)
    const before = await read(ada, statePath)
    server.clock.advance(5_000)
    const { status, body } = await ada.post(calibratePath)
    expect([status, body]).toEqual([
      200,
      {
        recalibrated: true,
        previous_mean: 0.5,
        previous_std: 0.25,
        new_mean: 0.5,
        new_std: 0.25,
        reason: 'manual_reset',
      },
    ])
    const { calibration } = await read(ada, statePath)
    const moved = Date.parse(calibration.last_calibrated) - Date.parse(before.calibration.last_calibrated)
    expect(moved).toBeGreaterThanOrEqual(5_000)
  })

  it('estimates from the searches, and sets the signal to 0', async () => {
    const ada = await newConformingClient(server)
    await ada.store(['Ada moved to Lisbon in May.'])
    const stored = (await readSignals(ada)).signals.length
    for (let i = 0; i < 12; i++) await ada.retrieve(`Where did Ada go in month ${i}?`)
    const before = await read(ada, statePath)
    const { body } = await ada.post(calibratePath, { reason: 'a new corpus' })
    const surprises = (await listSurprises(server, ada)).slice(stored)
    const mean = surprises.reduce((sum, each) => sum + each, 0) / 12
    const variance = surprises.reduce((sum, each) => sum + (each - mean) ** 2, 0) / 11
    expect(surprises).toHaveLength(12)
    expect(body).toMatchObject({
      recalibrated: true,
      previous_mean: before.calibration.ema_mean,
      previous_std: before.calibration.ema_std,
      reason: 'a new corpus',
    })
    expect(body.new_mean).toBeCloseTo(mean, 9)
    expect(body.new_std).toBeCloseTo(Math.max(0.02, Math.sqrt(variance)), 9)
    expect(await read(ada, statePath)).toMatchObject({
      signal: 0,
      calibration: { ema_mean: body.new_mean, ema_std: body.new_std },
    })
  })

  it('takes reasons of up to 200 characters, an empty one too', async () => {
    const ada = await newConformingClient(server)
    for (const reason of ['', 'é'.repeat(200)]) {
      expect((await ada.post(calibratePath, { reason })).body.reason).toBe(reason)
    }
    expect(faultsOf(await ada.post(calibratePath, { reason: 'x'.repeat(201) }))).toMatchObject([
      { type: 'string_too_long', loc: ['body', 'reason'] },
    ])
    expect(faultsOf(await ada.post(calibratePath, { reason: 5 }))).toMatchObject([{ type: 'string_type' }])
  })
})
