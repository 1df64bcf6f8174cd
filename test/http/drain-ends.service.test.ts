import { createApiServer } from '@memory/api/http/server'
import { addressOf, drain, listen } from '@memory/shared/platform/http-server'
import { expect, it } from 'vitest'

it('a stop answers requests that take too long with 503, and cuts off answers that have begun', async () => {
  const arrived = new Set<string>()
  const both = Promise.withResolvers<void>()
  const server = await listen(
    createApiServer((req, res) => {
      if (req.url === '/begun') res.writeHead(200).write('half of ')
      arrived.add(req.url ?? '')
      if (arrived.size === 2) both.resolve()
    }),
    ...([0, '127.0.0.1', 'PORT'] as const),
  )
  const url = `http://127.0.0.1:${addressOf(server).port}`
  const slow = fetch(`${url}/slow`)
  const begun = fetch(`${url}/begun`).then((answer) => answer.text())
  await both.promise
  const draining = drain(server, 50)
  const answer = await slow
  expect([answer.status, await answer.json()]).toEqual([503, { detail: 'Service unavailable' }])
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
  expect([answer.headers.get('connection'), answer.headers.get('x-content-type-options')]).toEqual([
    'close',
    'nosniff',
  ])
  await expect(begun).rejects.toThrow()
  await draining
})
