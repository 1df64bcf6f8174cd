import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** How a candidate was built. */
export interface Built {
  buildMs: number
  /** What the process grew by. */
  residentBytes: number
  /** What the index itself counts. */
  ownBytes?: number
}

/** One pass over all queries at one setting. */
export interface Pass {
  /** What was chosen between time and recall; empty where there is no choice. */
  setting: string
  ms: number[]
  /** Numbers of the nearest rows of each query, best first. */
  found: number[][]
  /** Rows a query whose keys must be fetched to put the result in order. */
  fetched?: number
}

/** Files that every candidate reads: float32, row after row. */
export interface Data {
  rows: string
  queries: string
  dimensions: number
}

/** An index in a process of its own, built on the data, that searches when it is told to. */
export interface Candidate {
  name: string
  built: Built
  measure(): Promise<Pass[]>
  stop(): Promise<void>
}

const ownScript = fileURLToPath(new URL('own.ts', import.meta.url))
const scanScript = fileURLToPath(new URL('scan.ts', import.meta.url))
const peerScript = fileURLToPath(new URL('../python/index_peers.py', import.meta.url))

/** The service's index as own.ts builds it. */
export function startOwn(kind: string, data: Data): Promise<Candidate> {
  const name = kind === 'flat' ? 'hot without lists' : kind
  return start(`service, ${name}`, process.execPath, ['--expose-gc', ownScript, kind, ...argumentsOf(data)])
}

/** A scan by the service's kernels, of `float32` or of `bytes`. */
export function startScan(kind: string, data: Data): Promise<Candidate> {
  const args = ['--expose-gc', scanScript, kind, ...argumentsOf(data)]
  return start(`service's kernel, ${kind}`, process.execPath, args)
}

/** A peer that index_peers.py knows. */
export function startPeer(python: string, peer: string, data: Data): Promise<Candidate> {
  return start(peer, python, [peerScript, '--peer', peer, ...argumentsOf(data)])
}

function argumentsOf({ rows, queries, dimensions }: Data): string[] {
  return ['--rows', rows, '--queries', queries, '--dimensions', String(dimensions)]
}

const running = new Set<ChildProcess>()
// A bench that fails leaves none of them running.
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** @throws when the process ends before it has answered */
async function start(name: string, program: string, args: string[]): Promise<Candidate> {
  const child = spawn(program, args, {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, OMP_NUM_THREADS: '1' },
  })
  running.add(child)
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const read = async (): Promise<unknown> => {
    const { value, done } = await lines.next()
    if (done === true) throw new Error(`${name} ended without an answer`)
    return JSON.parse(value as string)
  }
  const built = (await read()) as Built
  return {
    name,
    built,
    measure: async () => {
      child.stdin.write('measure\n')
      return (await read()) as Pass[]
    },
    stop: async () => {
      const ended = once(child, 'exit')
      child.stdin.end()
      await ended
      running.delete(child)
    },
  }
}
