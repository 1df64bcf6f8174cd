/**
 * The least an HTTP answer costs on Node: reads the request's body and answers fixed bytes by path. Run as a
 * process of its own; its parent sends it the answers and gets its port back.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

process.once('message', (answers: Record<string, string>) => {
  const bodies = new Map(Object.entries(answers).map(([path, text]) => [path, Buffer.from(text)]))
  const server = createServer((request, response) => {
    request.resume()
    request.on('end', () => {
      const body = bodies.get(request.url ?? '')
      response.writeHead(body === undefined ? 404 : 200, {
        'content-type': 'application/json; charset=utf-8',
        'content-length': body?.length ?? 0,
      })
      response.end(body)
    })
  })
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
})
process.once('disconnect', () => process.exit())
