import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sendJson } from '@memory/api/http/send-json'
import { expect, it } from 'vitest'

const long = 'x'.repeat(10_000)

it.each([
  ['one part', ['{"a":1}']],
  ['nothing', []],
  ['parts shorter than a write', ['{"a":[', '1', ',2', ']}']],
  ['long parts', [`{"a":"${long}`, long, `${long}"}`]],
  ['more than ASCII in one of them', [`{"a":"${long}`, `é水🙂${long}`, `${long}"}`]],
  ['more than ASCII in one that is joined', ['{"a":"', 'é', '水🙂', '"}']],
])('sends %s as one text of the length it says', async (_, parts) => {
  const server = createServer((_, res) => sendJson(res, 201, ...parts)).listen(0)
  const { port } = server.address() as AddressInfo
  try {
    const answer = await fetch(`http://127.0.0.1:${port}`)
    const bytes = Buffer.from(await answer.arrayBuffer())
    expect(answer.status).toBe(201)
    expect(answer.headers.get('content-type')).toBe('application/json')
    expect(answer.headers.get('content-length')).toBe(String(bytes.length))
    expect(answer.headers.get('transfer-encoding')).toBeNull()
    expect(bytes.toString()).toBe(parts.join(''))
  } finally {
    server.close()
  }
})
