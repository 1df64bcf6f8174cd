import { createServer, type Server, type Socket } from 'node:net'
import { addressOf } from '@memory/shared/platform/http-server'
import { parseMail, type ReceivedMail } from '../support/mails.ts'

/** A small SMTP server that keeps what it is sent. */
export class SmtpServer {
  readonly mails: ReceivedMail[] = []
  /** Recipients of the envelopes, as they were sent. */
  readonly recipients: string[] = []
  /** What is answered to RCPT TO; undefined: nothing. */
  answer: string | undefined = '250 OK'
  /** What is answered to MAIL FROM. */
  answerToSender = '250 OK'
  /** What is answered to a whole mail; unless it is 250, the mail is not kept. */
  answerToMail = '250 Accepted'
  readonly #server: Server
  readonly #sockets = new Set<Socket>()

  private constructor(server: Server) {
    this.#server = server
  }

  static async start(port = 0): Promise<SmtpServer> {
    const server = createServer()
    const smtp = new SmtpServer(server)
    server.on('connection', (socket) => smtp.#serve(socket))
    await new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
    return smtp
  }

  get port(): number {
    return addressOf(this.#server as never).port
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    await new Promise((done) => this.#server.close(done))
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket)
    socket.on('close', () => this.#sockets.delete(socket)).on('error', () => {})
    let buffered = ''
    let data: string[] | undefined
    const say = (line: string) => socket.write(`${line}\r\n`)
    const read = (line: string) => {
      if (data !== undefined && line !== '.') data.push(line.replace(/^\./, ''))
      else if (data !== undefined) {
        if (this.answerToMail.startsWith('250')) this.mails.push(parseMail(data.join('\r\n')))
        data = undefined
        say(this.answerToMail)
      } else if (/^DATA/i.test(line)) {
        data = []
        say('354 Go on')
      } else if (/^MAIL FROM:/i.test(line)) say(this.answerToSender)
      else if (/^RCPT TO:/i.test(line)) {
        this.recipients.push(line.slice('RCPT TO:'.length))
        if (this.answer !== undefined) say(this.answer)
      } else if (/^QUIT/i.test(line)) socket.end('221 Bye\r\n')
      else say('250 OK')
    }
    socket.setEncoding('latin1').on('data', (chunk) => {
      const lines = (buffered + chunk).split('\r\n')
      buffered = lines.pop() ?? ''
      for (const line of lines) read(line)
    })
    say('220 test ESMTP')
  }
}
