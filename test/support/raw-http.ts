import { connect, type Socket } from 'node:net'

/** A request as its bytes. */
export function rawRequest(
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: unknown,
): Buffer {
  const bytes = Buffer.from(body === undefined ? '' : JSON.stringify(body))
  const all = {
    Host: '127.0.0.1',
    ...(body === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': bytes.length }),
    ...headers,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.concat([Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`), bytes])
}

/** A connection that reads only when it is told to. */
export class RawConnection {
  readonly socket: Socket
  readonly closed: Promise<void>
  text = ''

  constructor(url: string) {
    const { hostname, port } = new URL(url)
    this.socket = connect(Number(port), hostname)
    this.socket.on('error', () => {})
    this.closed = new Promise((resolve) => this.socket.once('close', () => resolve()))
    this.socket.pause()
  }

  send(...requests: Buffer[]): this {
    this.socket.write(Buffer.concat(requests))
    return this
  }

  read(): this {
    this.socket.on('data', (data) => {
      this.text += data.toString('latin1')
    })
    this.socket.resume()
    return this
  }

  /** The statuses of what was read. */
  get statuses(): number[] {
    return Array.from(this.text.matchAll(/HTTP\/1\.1 (\d{3}) /g), ([, status]) => Number(status))
  }

  close(): void {
    this.socket.destroy()
  }
}
