import { connect, type Socket } from 'node:net'

/** An HTTP answer: its status and its body as text. */
export interface Answer {
  status: number
  text: string
}

interface Pending {
  resolve: (answer: Answer) => void
  reject: (error: Error) => void
}

/**
 * One keep-alive HTTP connection with one request at a time. It writes to the socket itself, because
 * `node:http` and `fetch` cost two and seven times its CPU time a request, which would count as the server's
 * on a machine where both share the cores. The client of `packages/sdk`, which is `fetch`, is measured by `sdk.ts`.
 */
export class Connection {
  readonly #port: number
  readonly #head: string
  #socket: Socket | undefined
  #received: Buffer[] = []
  /** Of `received`, and how many there must be at least before it is worth a look. */
  #bytes = 0
  #expected = 0
  #isChunked = false
  #pending: Pending | undefined

  private constructor(port: number, headers: Record<string, string>) {
    this.#port = port
    this.#head = headerLines({ host: '127.0.0.1', 'content-type': 'application/json', ...headers })
  }

  /** Connects to a port of this machine; `headers` go with every request. */
  static async open(port: number, headers: Record<string, string> = {}): Promise<Connection> {
    const connection = new Connection(port, headers)
    await connection.#connect()
    return connection
  }

  /**
   * Sends one request, with these headers beside the connection's, and resolves with its answer, whatever its status. A
   * connection that the server has closed, as servers do with idle ones, is opened again first.
   * @param body sent as JSON, or as it is when it is a Buffer
   */
  async send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    if (this.#pending !== undefined) throw new Error('One request at a time on a connection')
    const socket = this.#socket ?? (await this.#connect())
    const bytes = Buffer.isBuffer(body) ? body : Buffer.from(body === undefined ? '' : JSON.stringify(body))
    return new Promise((resolve, reject) => {
      this.#pending = { resolve, reject }
      const head = this.#head + headerLines(headers)
      const start = `${method} ${path} HTTP/1.1\r\n${head}content-length: ${bytes.length}\r\n\r\n`
      socket.write(Buffer.concat([Buffer.from(start), bytes]))
    })
  }

  /** Sends one request and returns the parsed answer; a status other than 2xx is an error. */
  async json<T>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await this.send(method, path, body)
    if (answer.status < 200 || answer.status > 299) {
      throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text.slice(0, 500)}`)
    }
    return JSON.parse(answer.text) as T
  }

  close(): void {
    this.#socket?.destroy()
  }

  #connect(): Promise<Socket> {
    return new Promise((resolve, reject) => {
      const socket = connect(this.#port, '127.0.0.1')
      socket.setNoDelay(true)
      socket.once('error', reject)
      socket.once('connect', () => {
        this.#socket = socket
        socket.on('data', (chunk) => this.#onData(chunk))
        socket.on('error', (error) => this.#fail(error))
        socket.on('close', () => this.#fail(new Error('The server closed the connection')))
        resolve(socket)
      })
    })
  }

  #onData(chunk: Buffer): void {
    this.#received.push(chunk)
    this.#bytes += chunk.length
    // Only once it is complete, since an answer of a few megabytes comes in dozens of pieces.
    if (this.#bytes < this.#expected || (this.#isChunked && !this.#hasLastChunk())) return
    const bytes = this.#received.length === 1 ? chunk : Buffer.concat(this.#received)
    this.#received = [bytes]
    const headEnd = bytes.indexOf('\r\n\r\n')
    if (headEnd < 0) return
    const head = bytes.toString('latin1', 0, headEnd)
    if (/\r\ntransfer-encoding: *chunked/i.test(head)) {
      this.#isChunked = true
      if (this.#hasLastChunk()) this.#settle(head, joinChunks(bytes, headEnd + 4))
      return
    }
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
    if (length === undefined) {
      this.#fail(new Error(`No Content-Length in the answer:\n${head}`))
      return
    }
    const end = headEnd + 4 + Number(length)
    this.#expected = end
    if (bytes.length < end) return
    this.#settle(head, bytes.subarray(headEnd + 4, end))
  }

  #settle(head: string, body: Buffer): void {
    this.#forget()
    const pending = this.#pending
    this.#pending = undefined
    pending?.resolve({ status: Number(head.slice(9, 12)), text: body.toString('utf8') })
  }

  /** With one request at a time nothing follows the last chunk. */
  #hasLastChunk(): boolean {
    const [last, before] = [this.#received.at(-1), this.#received.at(-2)]
    const end = Buffer.concat(
      [before ?? Buffer.alloc(0), last ?? Buffer.alloc(0)].map((part) => part.subarray(-7)),
    )
    return end.subarray(-7).equals(lastChunk)
  }

  #forget(): void {
    this.#received = []
    this.#bytes = 0
    this.#expected = 0
    this.#isChunked = false
  }

  #fail(error: Error): void {
    const pending = this.#pending
    this.#pending = undefined
    this.#forget()
    this.#socket?.destroy()
    this.#socket = undefined
    pending?.reject(error)
  }
}

const lastChunk = Buffer.from('\r\n0\r\n\r\n')

/** The body of an answer that was sent in chunks. */
function joinChunks(bytes: Buffer, from: number): Buffer {
  const chunks: Buffer[] = []
  for (let at = from; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at)
    const length = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16)
    if (!(length > 0)) return Buffer.concat(chunks)
    chunks.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + length))
    at = lineEnd + 2 + length + 2
  }
}

const headerLines = (headers: Record<string, string>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')
