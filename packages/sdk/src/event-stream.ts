import { AbortedError, ApiError, ConnectionError, TimeoutError } from './errors.ts'
import { isPassing, pauseBefore } from './retry.ts'
import { requireKnown } from './settings.ts'
import type { Outgoing, Transport } from './transport.ts'

/** One of an answer of server-sent events. */
export interface ServerEvent {
  /** What to go on after; empty where no event has said one. */
  id: string
  event: string
  data: string
}

export interface StreamOptions {
  /** Ends it: the next event is an AbortedError then. */
  signal?: AbortSignal | undefined
  /** The `id` of the last event that is known: all after it come. Without it what comes from now on does. */
  lastEventId?: string | undefined
}

/** Every option, by its name. */
const streamOptions: Readonly<Record<keyof StreamOptions, true>> = { signal: true, lastEventId: true }

/** The service says something every ten seconds: a connection that is silent for longer is none. */
const silentMs = 45_000
/** What asks for a longer pause is asked again after this. */
const pauseSecondsMax = 10

/**
 * The events of an operation that streams, connecting again whenever it has to, without an end of its own.
 * @throws AbortedError when the signal fires; ApiError for what asking again does not help
 */
export async function* follow(
  transport: Transport,
  outgoing: Outgoing,
  options: StreamOptions,
): AsyncGenerator<ServerEvent> {
  requireKnown(options, streamOptions, outgoing.template)
  const { signal, lastEventId } = options
  const position: Position = { id: lastEventId ?? '' }
  for (let failures = 0; ; ) {
    let pauseMs = pauseBefore(0)
    try {
      const headers: Record<string, string> = position.id === '' ? {} : { 'Last-Event-ID': position.id }
      const body = await transport.stream(outgoing, { signal, headers })
      for await (const event of readEvents(body, signal, position)) {
        failures = 0
        yield event
      }
    } catch (error) {
      if (!isPassingFailure(error)) throw error
      const retryAfterS = error instanceof ApiError ? error.retryAfterS : undefined
      pauseMs = pauseBefore(failures, Math.min(retryAfterS ?? 0, pauseSecondsMax))
      failures++
    }
    await transport.pause(pauseMs ?? 0, signal)
  }
}

const isPassingFailure = (error: unknown): boolean =>
  error instanceof ConnectionError ||
  error instanceof TimeoutError ||
  (error instanceof ApiError && isPassing(error.status))

/** From where a connection goes on: the id that was told last, also without an event. */
interface Position {
  id: string
}

/**
 * Reads the events of an answer, to its end.
 * @param position its id is that of events that say none, and follows what is read
 * @throws ConnectionError when it breaks off or is silent; AbortedError
 */
async function* readEvents(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal | undefined,
  position: Position,
): AsyncGenerator<ServerEvent> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as never)
    .getReader() as ReadableStreamDefaultReader<string>
  const stop = () => void reader.cancel().catch(() => {})
  let isSilent = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const watch = () => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      isSilent = true
      stop()
    }, silentMs)
  }
  signal?.addEventListener('abort', stop, { once: true })
  try {
    const events = new EventReader(position)
    for (;;) {
      if (signal?.aborted) throw new AbortedError('The call was aborted', { cause: signal.reason })
      watch()
      const { done, value } = await reader.read()
      if (isSilent) throw new ConnectionError('The stream fell silent')
      if (done && !signal?.aborted) return
      yield* events.read(value ?? '')
    }
  } catch (cause) {
    if (cause instanceof AbortedError || cause instanceof ConnectionError) throw cause
    if (signal?.aborted) throw new AbortedError('The call was aborted', { cause: signal.reason })
    throw new ConnectionError('The stream broke off', { cause })
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
    // Whoever needs no more events closes the connection by it.
    stop()
  }
}

/** Reads events out of a text as it comes (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
class EventReader {
  readonly #position: Position
  #id: string
  #event = ''
  #data: string[] = []
  /** Of the line that has not ended yet. */
  #rest = ''
  /** Whether the text so far ends in a carriage return, whose line feed may be still to come. */
  #isAfterReturn = false

  constructor(position: Position) {
    this.#position = position
    this.#id = position.id
  }

  /** The events that end in what has come. */
  *read(text: string): Generator<ServerEvent> {
    const more = this.#isAfterReturn && text.startsWith('\n') ? text.slice(1) : text
    this.#isAfterReturn = text.endsWith('\r')
    const lines = (this.#rest + more).split(/\r\n|\r|\n/)
    this.#rest = lines.pop() ?? ''
    for (const line of lines) {
      if (line !== '') this.#take(line)
      else {
        this.#position.id = this.#id
        // What has no data is no event, such as how long to wait before connecting again.
        if (this.#data.length > 0)
          yield { id: this.#id, event: this.#event || 'message', data: this.#data.join('\n') }
        this.#event = ''
        this.#data = []
      }
    }
  }

  /** Takes a field; one without a name is a comment. */
  #take(line: string): void {
    const [, name, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? []
    if (name === 'data') this.#data.push(value)
    else if (name === 'event') this.#event = value
    else if (name === 'id' && !value.includes('\0')) this.#id = value
  }
}
