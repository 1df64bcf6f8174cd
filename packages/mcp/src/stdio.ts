import { StringDecoder } from 'node:string_decoder'
import { limits } from '@memory/shared/catalogue/limits'
import { type JSONRPCMessage, parseJSONRPCMessage, type Transport } from '@modelcontextprotocol/server'
import { refusalOf, refused } from './refusals.ts'

/** For which requests that were begun may go on once the input has ended, ms. */
const graceMs = 2_000

/** What is answered only when it is over: it lasts as long as the client listens. */
const endlessMethod = 'subscriptions/listen'

type Handler<T extends keyof Transport> = Exclude<Transport[T], undefined>

/**
 * Messages as lines. Unlike the library's own, it answers lines that are no message, as the transport over HTTP does; and the
 * end of the input ends the last line too, and not the requests that were taken: a memory that is being stored is stored.
 */
export class StdioTransport implements Transport {
  onmessage?: Handler<'onmessage'>
  onclose?: Handler<'onclose'>
  onerror?: Handler<'onerror'>
  readonly #input: NodeJS.ReadableStream
  readonly #output: NodeJS.WritableStream
  readonly #onGivenUp: (requests: number) => void
  readonly #decoder = new StringDecoder()
  /** Of the line that has not ended yet. */
  #rest = ''
  /** Requests that are not answered yet. */
  readonly #pending = new Set<string | number>()
  #isAtEnd = false
  #isClosed = false

  /** @param onGivenUp hears how many requests were not answered when their time after the end of the input was over */
  constructor(
    input: NodeJS.ReadableStream,
    output: NodeJS.WritableStream,
    onGivenUp: (requests: number) => void,
  ) {
    this.#input = input
    this.#output = output
    this.#onGivenUp = onGivenUp
  }

  async start(): Promise<void> {
    this.#input.on('data', this.#read)
    this.#input.once('end', this.#end)
    this.#input.once('close', this.#end)
    // Whoever reads no more can be told nothing either.
    this.#output.on('error', () => void this.close())
  }

  send(message: JSONRPCMessage): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#output.write(`${JSON.stringify(message)}\n`, (error) => {
        if (error) reject(error)
        else resolve()
        if (!('method' in message) && message.id !== undefined) this.#settle(message.id)
      })
    })
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#input.off('data', this.#read)
    this.#input.pause()
    this.onclose?.()
  }

  readonly #read = (chunk: Buffer): void => {
    const lines = (this.#rest + this.#decoder.write(chunk)).split('\n')
    this.#rest = lines.pop() ?? ''
    for (const line of lines) this.#take(line)
    if (this.#rest.length <= limits.mcpBodyBytes) return
    this.onerror?.(new Error(`A message is longer than ${limits.mcpBodyBytes} bytes`))
    void this.close()
  }

  #take(line: string): void {
    if (line.trim() === '') return
    let given: unknown
    try {
      given = JSON.parse(line)
    } catch {
      // No value of JSON is undefined: it stands for none.
    }
    const refusal = refusalOf(given)
    if (refusal !== undefined) {
      // Its id may be none, which the types of the library do not know.
      this.send(refused(refusal) as JSONRPCMessage).catch((error) => this.onerror?.(error))
      return
    }
    const message = parseJSONRPCMessage(given)
    if ('method' in message && 'id' in message && message.method !== endlessMethod)
      this.#pending.add(message.id)
    if ('method' in message && message.method === 'notifications/cancelled') {
      const { requestId } = (message.params ?? {}) as { requestId?: string | number }
      if (requestId !== undefined) this.#settle(requestId)
    }
    this.onmessage?.(message)
  }

  #settle(id: string | number): void {
    this.#pending.delete(id)
    if (this.#isAtEnd && this.#pending.size === 0) void this.close()
  }

  readonly #end = (): void => {
    if (this.#isAtEnd || this.#isClosed) return
    this.#take(this.#rest + this.#decoder.end())
    this.#isAtEnd = true
    if (this.#pending.size === 0) {
      void this.close()
      return
    }
    const timer = setTimeout(() => {
      this.#onGivenUp(this.#pending.size)
      void this.close()
    }, graceMs)
    const { onclose } = this
    this.onclose = () => {
      clearTimeout(timer)
      onclose?.()
    }
  }
}
