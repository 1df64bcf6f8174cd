import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '../support/until.ts'

/** Whether processes can be watched here: strace is there, and may trace. */
export const canTrace = spawnSync('strace', ['-qq', '-o', '/dev/null', 'true']).status === 0

const written =
  'open,openat,openat2,creat,mkdir,mkdirat,rename,renameat,renameat2,link,linkat,symlink,symlinkat,mknodat'
const sent = 'connect,sendto,sendmsg,sendmmsg'

/**
 * A program to run a command through, which notes in a file what the command and its threads and children write and send.
 * The command keeps its process id, so that signals reach it.
 */
export const tracedInto = (file: string): string[] => [
  ...['strace', '-D', '-f', '--seccomp-bpf', '-q', '-y', '-s', '4096', '-o', file],
  ...['-e', `trace=${written},${sent}`],
]

export interface Traced {
  /** Paths that were opened for writing or made, whether or not that succeeded. */
  written: string[]
  /** Addresses, as the system call has them, that were connected to or sent to. */
  addresses: string[]
}

/** Reads what was noted of a command that has ended; its last notes may come a little later. */
export async function readTrace(file: string, pid: number): Promise<Traced> {
  const end = new RegExp(`^${pid} +\\+\\+\\+ (exited|killed)`, 'm')
  const notes = await until(() => {
    const text = readFileSync(file, 'utf8')
    return end.test(text) ? text : undefined
  }, `the end of the trace ${file}`)
  const traced: Traced = { written: [], addresses: [] }
  for (const line of notes.split('\n')) {
    const [, call = '', rest = ''] = /^\d+\s+(\w+)\((.*)$/.exec(line) ?? []
    if (sent.split(',').includes(call)) {
      traced.addresses.push(...[...rest.matchAll(/\{(sa_family=[^{}]*)\}/g)].map(([, to = '']) => to))
    } else if (written.split(',').includes(call)) {
      const opened = call.startsWith('open')
      if (opened && !/O_WRONLY|O_RDWR|O_CREAT/.test(rest)) continue
      traced.written.push(...paths(rest))
    }
  }
  return traced
}

/** The paths among a call's arguments; what is relative is to the folder that stands before it, or the working one. */
function paths(args: string): string[] {
  const found: string[] = []
  for (const [, folder = '', path = ''] of args.matchAll(/(?:<([^<>"]*)>, )?"((?:[^"\\]|\\.)*)"/g)) {
    found.push(path.startsWith('/') ? path : join(folder, path))
  }
  return found
}
