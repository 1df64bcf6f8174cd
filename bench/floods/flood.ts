/**
 * A flood of requests from sockets of its own, in a process of its own, until the parent says that it is over. It yields
 * the processor to the service: its clients would have their own.
 */
import { connect, type Socket } from 'node:net'
import { setPriority } from 'node:os'
import { floods } from './floods.ts'

export interface FloodOrder {
  name: string
  port: number
  /** Of the organization that floods. */
  key: string
}

setPriority(10)
let over = false
let answered = 0
let refused = 0
const sockets = new Set<Socket>()

process.on('message', (message: FloodOrder | 'stop') => {
  if (message !== 'stop') {
    begin(message)
    return
  }
  over = true
  for (const socket of sockets) socket.destroy()
  process.send?.({ answered, refused }, () => process.exit(0))
})

function begin({ name, port, key }: FloodOrder): void {
  const flood = floods[name]
  if (flood === undefined) throw new Error(`There is no flood ${name}.`)
  const request = flood.request(key)
  const burst = Buffer.concat(Array.from({ length: flood.pipelined }, () => request))
  const open = () => {
    if (over) return
    const socket = connect(port, '127.0.0.1')
    sockets.add(socket)
    let due = 0
    const send = () => {
      due = flood.pipelined
      socket.write(burst)
    }
    socket.on('connect', send)
    socket.on('error', () => {})
    socket.on('close', () => {
      sockets.delete(socket)
      // Whoever is hung up on comes again.
      setTimeout(open, 100)
    })
    if (!flood.reads) {
      socket.pause()
      return
    }
    socket.on('data', (data) => {
      const statuses = data.toString('latin1').match(/HTTP\/1\.1 \d{3}/g) ?? []
      due -= statuses.length
      answered += statuses.length
      refused += statuses.filter((line) => /429|503/.test(line)).length
      if (due <= 0) send()
    })
  }
  for (let i = 0; i < flood.sockets; i++) open()
  process.send?.('ready')
}
