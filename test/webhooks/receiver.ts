import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import { addressOf } from '@memory/shared/platform/http-server'
import { Webhook } from 'standardwebhooks'

/** A request as a receiver got it. */
export interface Received {
  path: string
  headers: IncomingHttpHeaders
  body: string
}

/** A receiver of webhooks on this machine. */
export class Receiver {
  readonly received: Received[] = []
  /** Whatever came of them. */
  connections = 0
  /** What it answers; may leave the answer open. */
  answer: (response: ServerResponse, received: Received) => void = (response) => response.end('ok')
  readonly #server: Server

  private constructor(server: Server) {
    this.#server = server
  }

  static async start(): Promise<Receiver> {
    const server = createServer()
    const receiver = new Receiver(server)
    server.on('connection', () => receiver.connections++)
    server.on('request', async (request, response) => {
      let body = ''
      for await (const chunk of request.setEncoding('utf8')) body += chunk
      const received = { path: request.url ?? '', headers: request.headers, body }
      receiver.received.push(received)
      receiver.answer(response, received)
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    return receiver
  }

  get url(): string {
    return `http://127.0.0.1:${addressOf(this.#server).port}/hook`
  }

  get port(): number {
    return addressOf(this.#server).port
  }

  /** Answers with a status from now on. */
  answerWith(status: number, headers: Record<string, string> = {}): void {
    this.answer = (response) => response.writeHead(status, headers).end()
  }

  /** Breaks off whatever is open. */
  hangUp(): void {
    this.#server.closeAllConnections()
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((done) => this.#server.close(done))
  }
}

/** Whether the holder of a secret signed it, by the reference library. @returns the event */
export function verified(secret: string, { headers, body }: Received): Record<string, unknown> {
  return new Webhook(secret).verify(body, headers as Record<string, string>) as Record<string, unknown>
}

/** How many signatures are of this secret, whatever the time is now. */
export function signaturesOf(secret: string, { headers, body }: Received): number {
  const at = new Date(Number(headers['webhook-timestamp']) * 1_000)
  const good = new Webhook(secret).sign(String(headers['webhook-id']), at, body)
  return String(headers['webhook-signature'])
    .split(' ')
    .filter((each) => each === good).length
}
