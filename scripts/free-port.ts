import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below the ports that systems give to whoever asks for any, an outgoing connection too (Linux: from 32,768 on). */
const first = 15_000
const end = 32_000

/** A port of the loopback address that nobody listens on, and that nobody is given before it is used. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(first, end)
    const probe = createServer().listen(port, '127.0.0.1')
    try {
      await once(probe, 'listening')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
      continue
    }
    probe.close()
    await once(probe, 'close')
    return port
  }
}
