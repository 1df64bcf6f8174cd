import { createSocket, type Socket } from 'node:dgram'

/** A name server (RFC 1035) to which every name is this machine. */
export class NameServer {
  /** Answers nothing. */
  silent = false
  readonly #socket: Socket

  private constructor(socket: Socket) {
    this.#socket = socket
  }

  static async start(): Promise<NameServer> {
    const socket = createSocket('udp4')
    const server = new NameServer(socket)
    socket.on('message', (query, from) => {
      if (!server.silent) socket.send(answerTo(query), from.port, from.address)
    })
    await new Promise<void>((done) => socket.bind(0, '127.0.0.1', done))
    return server
  }

  get address(): string {
    return `127.0.0.1:${this.#socket.address().port}`
  }

  stop(): Promise<void> {
    return new Promise((done) => this.#socket.close(() => done()))
  }
}

function answerTo(query: Buffer): Buffer {
  let end = 12
  while (query[end] !== 0) end += (query[end] as number) + 1
  const question = query.subarray(12, end + 5)
  const isV6 = question.readUInt16BE(question.length - 4) === 28
  const data = isV6 ? Buffer.from('00000000000000000000000000000001', 'hex') : Buffer.from([127, 0, 0, 1])
  // The id of the query; a response that may recurse; one question and one answer.
  const head = Buffer.from([query[0] as number, query[1] as number, 0x81, 0x80, 0, 1, 0, 1, 0, 0, 0, 0])
  // The name by a pointer to the question; its type and class; a life of 60 s.
  const record = [0xc0, 12, 0, isV6 ? 28 : 1, 0, 1, 0, 0, 0, 60, 0, data.length]
  return Buffer.concat([head, question, Buffer.from(record), data])
}
