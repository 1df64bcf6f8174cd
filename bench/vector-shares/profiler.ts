import { setTimeout as delay } from 'node:timers/promises'

/** A processor profile as V8 writes it: a tree of calls, and which of them was under way at each sample. */
export interface Profile {
  nodes: ProfileNode[]
  /** Ids of nodes. */
  samples: number[]
  /** Microseconds from each sample to the next. */
  timeDeltas: number[]
}

export interface ProfileNode {
  id: number
  callFrame: { functionName: string; url: string }
  children?: number[]
}

const openWithinMs = 10_000

/** The profiler of the main thread of a process that was started with `--inspect` on this port. */
export class Profiler {
  readonly #socket: WebSocket
  #calls = 0

  private constructor(socket: WebSocket) {
    this.#socket = socket
  }

  /** @param intervalUs between two samples */
  static async open(port: number, intervalUs: number): Promise<Profiler> {
    const socket = new WebSocket(await addressOf(port))
    await new Promise((resolve, reject) => {
      socket.addEventListener('open', resolve)
      socket.addEventListener('error', () => reject(new Error('The inspector refused the connection')))
    })
    const profiler = new Profiler(socket)
    await profiler.#call('Profiler.enable')
    await profiler.#call('Profiler.setSamplingInterval', { interval: intervalUs })
    return profiler
  }

  /** What the thread did while `run` was under way. */
  async during(run: () => Promise<unknown>): Promise<Profile> {
    await this.#call('Profiler.start')
    await run()
    const { profile } = (await this.#call('Profiler.stop')) as { profile: Profile }
    return profile
  }

  close(): void {
    this.#socket.close()
  }

  #call(method: string, params: object = {}): Promise<unknown> {
    const id = ++this.#calls
    return new Promise((resolve, reject) => {
      const onMessage = ({ data }: MessageEvent) => {
        const answer = JSON.parse(String(data)) as { id?: number; result?: unknown; error?: object }
        if (answer.id !== id) return
        this.#socket.removeEventListener('message', onMessage)
        if (answer.error === undefined) resolve(answer.result)
        else reject(new Error(`${method}: ${JSON.stringify(answer.error)}`))
      }
      this.#socket.addEventListener('message', onMessage)
      this.#socket.send(JSON.stringify({ id, method, params }))
    })
  }
}

async function addressOf(port: number): Promise<string> {
  const until = performance.now() + openWithinMs
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/json/list`).catch((error) => {
      if (performance.now() > until) throw error
    })
    const [target] = ((await answer?.json()) ?? []) as { webSocketDebuggerUrl: string }[]
    if (target !== undefined) return target.webSocketDebuggerUrl
    await delay(50)
  }
}
