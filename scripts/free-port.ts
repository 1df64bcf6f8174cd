import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below the ports that systems give to whoever asks for any, an outgoing connection too (Linux: from 32,768 on). */
const first = 15_000
const end = 32_000

/**
 * A TCP port of the loopback address that nobody listens on, and that no other call is given, in this process or in
 * another, while this process lives: the UDP port of the same number, which nothing here listens on, stands for its
 * reservation and is held to the end.
 */
export async function freePort(draw = () => randomInt(first, end)): Promise<number> {
  for (;;) {
    const port = draw()
    const reservation = createSocket('udp4').bind(port, '127.0.0.1').unref()
    const probe = createServer()
    try {
      await once(reservation, 'listening')
      await once(probe.listen(port, '127.0.0.1'), 'listening')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
      reservation.close()
      continue
    }
    probe.close()
    await once(probe, 'close')
    return port
  }
}
