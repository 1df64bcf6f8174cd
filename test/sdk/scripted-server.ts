import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export interface Received {
  method: string
  path: string
  headers: IncomingMessage['headers']
  body: string
}

/** How one request is answered. */
export type Step = (response: ServerResponse, request: Received) => void

export interface ScriptedServer extends AsyncDisposable {
  url: string
  received: Received[]
}

/** Answers each request by the next of the steps, and all further ones by the last. */
export async function startScriptedServer(...steps: [Step, ...Step[]]): Promise<ScriptedServer> {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const { method = '', url: path = '', headers } = request
    // A client that hangs up while it sends is one of the faults.
    const body = await text(request).catch(() => undefined)
    if (body === undefined) return
    const seen = { method, path, headers, body }
    const step = steps[Math.min(received.length, steps.length - 1)] as Step
    received.push(seen)
    step(response, seen)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

/** Answers JSON. */
export function answers(status: number, body: unknown, headers: Record<string, string> = {}): Step {
  return (response) => {
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers })
    response.end(JSON.stringify(body))
  }
}

export const ok = (body: unknown): Step => answers(200, body)

export const fails = (status: number, detail: unknown, headers?: Record<string, string>): Step =>
  answers(status, { detail }, headers)

/** Says that more will come, and cuts the connection. */
export const breaksOff: Step = (response) => {
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '1000' })
  response.write('{"total_patterns":', () => response.destroy())
}

/** Cuts the connection without an answer. */
export const hangsUp: Step = (response) => void response.destroy()

/** Begins an answer and never ends it. */
export const stalls: Step = (response) => {
  response.writeHead(200, { 'Content-Type': 'application/json' })
  response.write('{')
}

/** Never answers. */
export const keepsSilent: Step = () => {}
