import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { CommandClient } from '../../apps/cli/src/client.ts'
import { findConnection } from '../../apps/cli/src/connection.ts'
import { failed } from './fake-service.ts'
import { newBench } from './support.ts'

// No pause is longer by chance.
beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0))

describe('retries', () => {
  it.each([429, 500, 502, 503])('tries %i again after 1, 2 and 4 seconds', async (status) => {
    await using bench = await newBench({
      fault: ({ number }) => (number <= 3 ? failed(status, 'Not now') : undefined),
    })
    expect(await bench.client.countPatterns({})).toEqual({ count: 0 })
    expect(bench.waits).toEqual([1_000, 2_000, 4_000])
  })

  it('gives up after the third retry', async () => {
    await using bench = await newBench({ fault: () => failed(503, 'Service unavailable') })
    await expect(bench.client.countPatterns({})).rejects.toThrow(
      'The service answered 503: Service unavailable.',
    )
    expect(bench.service.requests).toHaveLength(4)
  })

  it.each([400, 401, 403, 404, 405, 409, 422])('does not try %i again', async (status) => {
    await using bench = await newBench({ fault: () => failed(status, 'No') })
    await expect(bench.client.countPatterns({})).rejects.toMatchObject({ status })
    expect(bench.service.requests).toHaveLength(1)
  })

  it('waits as long as a short Retry-After asks', async () => {
    await using bench = await newBench({
      fault: ({ number }) => (number === 1 ? failed(503, 'Draining', { 'Retry-After': '7' }) : undefined),
    })
    await bench.client.countPatterns({})
    expect(bench.waits).toEqual([7_000])
  })

  it('fails at once where Retry-After is long, and names the wait', async () => {
    await using bench = await newBench({
      fault: () => failed(429, 'Daily query limit reached', { 'Retry-After': '5400' }),
    })
    await expect(bench.client.retrieve({ query: 'tea' })).rejects.toThrow(
      'The service answered 429: Daily query limit reached. It asks to wait 1 h 30 min.',
    )
    expect(bench.service.requests).toHaveLength(1)
  })
})

it('asks that a field which the service does not have be refused, in every request', async () => {
  await using bench = await newBench()
  await bench.client.countPatterns({})
  await bench.client.searchPatterns({ limit: 1 })
  expect(bench.service.requests.map(({ headers }) => headers.prefer)).toEqual(
    Array<string>(2).fill('handling=strict'),
  )
})

describe('errors', () => {
  it('says how to start a service that does not answer', async () => {
    const said: string[] = []
    const client = new CommandClient({
      connection: { url: 'http://127.0.0.1:9', key: 'mk_live_x', keySource: 'the test' },
      onRetry: (reason) => said.push(reason),
      wait: async () => {},
    })
    await expect(client.countPatterns({})).rejects.toThrow(
      /does not answer at http:\/\/127.0.0.1:9: start it with/,
    )
    expect(said).toEqual(Array<string>(3).fill('The connection failed; trying again in 1 s.'))
  })

  it('names the refused key by its beginning only', async () => {
    await using bench = await newBench()
    const key = 'mk_live_wrongwrongwrongwrongwrongwrong'
    const client = new CommandClient({
      connection: { url: bench.service.url, key, keySource: 'MEMORY_SERVICE_API_KEY' },
    })
    const error = await client.countPatterns({}).catch((caught: Error) => caught)
    expect(error).toMatchObject({
      message:
        'The service refused the API key mk_live_wron… (from MEMORY_SERVICE_API_KEY): Invalid API key.',
    })
  })

  it('does not show a key that no header can hold', async () => {
    const connection = { url: 'http://127.0.0.1:9', key: 'mk_live_secret\nX', keySource: '--key' }
    expect(() => new CommandClient({ connection })).toThrow(
      expect.objectContaining({ message: "The API key (from --key) can't be sent." }),
    )
  })

  it('says that what answers is no Memory Service', async () => {
    const page = createServer((_request, response) => void response.end('<html>'))
    await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(page.address() as AddressInfo).port}`
    await expect(
      new CommandClient({ connection: { url, key: 'mk_live_x', keySource: 'the test' } }).countPatterns({}),
    ).rejects.toThrow(`The answer from ${url} is no complete JSON: is it a Memory Service?`)
    page.close()
  })

  it('does not follow a redirect with the key', async () => {
    await using other = await newBench()
    await using bench = await newBench({
      fault: () => failed(301, 'Moved', { Location: `${other.service.url}/` }),
    })
    await expect(bench.client.countPatterns({})).rejects.toThrow('give that address with --url')
    expect(other.service.requests).toHaveLength(0)
  })
})

describe('the connection', () => {
  it('prefers options to variables and variables to the key file', async () => {
    const variables = {
      MEMORY_SERVICE_URL: 'http://localhost:9000/',
      MEMORY_SERVICE_API_KEY: 'from-variable',
    }
    expect(await findConnection({}, variables)).toMatchObject({
      url: 'http://localhost:9000',
      key: 'from-variable',
    })
    expect(
      await findConnection({ url: 'https://memory.example', key: 'from-option' }, variables),
    ).toMatchObject({ url: 'https://memory.example', key: 'from-option' })
  })

  it.each(['url', 'key'])('takes nothing in place of --%s where it is given empty', async (name) => {
    const variables = { MEMORY_SERVICE_API_KEY: 'from-variable' }
    await expect(findConnection({ [name]: '' }, variables)).rejects.toThrow(`--${name} is empty.`)
  })

  it('reads the local key file, for this machine only', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'memory-cli-'))
    await writeFile(join(folder, 'local-api-key'), 'mk_live_local\n')
    const variables = { MEMORY_DATA_DIR: folder }
    expect(await findConnection({}, variables)).toMatchObject({
      url: 'http://127.0.0.1:8000',
      key: 'mk_live_local',
    })
    await expect(findConnection({ url: 'https://memory.example' }, variables)).rejects.toThrow('No API key')
    await rm(folder, { recursive: true })
    await expect(findConnection({}, variables)).rejects.toThrow("can't be read. Start the service once")
  })

  it('refuses what is no http address', async () => {
    const should = 'is "localhost:8000", and should be an http or https address, as in http://127.0.0.1:8000.'
    await expect(findConnection({ url: 'localhost:8000', key: 'k' }, {})).rejects.toThrow(`--url ${should}`)
    const variables = { MEMORY_SERVICE_URL: 'localhost:8000', MEMORY_SERVICE_API_KEY: 'k' }
    await expect(findConnection({}, variables)).rejects.toThrow(`MEMORY_SERVICE_URL ${should}`)
  })

  it.each([
    ['http://127.0.0.1:8221/v1', 'the client adds /v1 by itself: give http://127.0.0.1:8221'],
    ['http://127.0.0.1:8221/?x=1', 'and should be an address alone: http://127.0.0.1:8221'],
    ['http://u:p@127.0.0.1:8221', 'and should be an address alone: http://127.0.0.1:8221'],
  ])('says what is wrong with the address %s', async (url, why) => {
    await expect(findConnection({ url, key: 'k' }, {})).rejects.toThrow(why)
  })
})
