import { AbortedError, ApiError, ConnectionError, TimeoutError } from './errors.ts'
import { isPassing, pauseBefore } from './retry.ts'
import type { Outgoing, Transport } from './transport.ts'

/** One of an answer of server-sent events. */
export interface ServerEvent {
  /** What to go on after. */
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
  { signal, lastEventId }: StreamOptions,
): AsyncGenerator<ServerEvent> {
  let last = lastEventId
  for (let failures = 0; ; ) {
    let pauseMs = pauseBefore(0)
    try {
      const headers: Record<string, string> = last === undefined ? {} : { 'Last-Event-ID': last }
      for await (const event of readEvents(await transport.stream(outgoing, { signal, headers }), signal)) {
        failures = 0
        last = event.id
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

/** Reads the events of an answer, to its end. @throws ConnectionError when it breaks off or is silent; AbortedError */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal | undefined,
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
    let rest = ''
    for (;;) {
      if (signal?.aborted) throw new AbortedError('The call was aborted', { cause: signal.reason })
      watch()
      const { done, value } = await reader.read()
      if (isSilent) throw new ConnectionError('The stream fell silent')
      if (done && !signal?.aborted) return
      const blocks = (rest + (value ?? '')).split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) {
        const event = eventOf(block)
        if (event !== undefined) yield event
      }
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

/** @returns undefined for what is no event, such as a comment */
function eventOf(block: string): ServerEvent | undefined {
  const fields = new Map(
    block.split('\n').map((line) => {
      const at = line.indexOf(':')
      return at < 1 ? ['', ''] : [line.slice(0, at), line.slice(at + 1).replace(/^ /, '')]
    }),
  )
  const [id, event, data] = [fields.get('id'), fields.get('event'), fields.get('data')]
  return id === undefined || event === undefined || data === undefined ? undefined : { id, event, data }
}
