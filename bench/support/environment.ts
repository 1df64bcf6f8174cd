import { execFileSync } from 'node:child_process'
import { cpus, loadavg, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'

export const repository = fileURLToPath(new URL('../..', import.meta.url))

/** Where and on what a result was measured. */
export interface Environment {
  processor: string
  cores: number
  memoryGb: number
  node: string
  commit: string
  startedAt: string
  /** Load average of the last minute at the start: above about 0.3 the machine was not idle. */
  loadAtStart: number
}

export function readEnvironment(): Environment {
  const [first] = cpus()
  return {
    processor: `${first?.model.trim() ?? 'unknown'}${processorFlags()}`,
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    commit: commit(),
    startedAt: new Date().toISOString(),
    loadAtStart: Number((loadavg()[0] ?? 0).toFixed(2)),
  }
}

export function environmentLine(environment: Environment): string {
  const { processor, cores, memoryGb, node, commit, loadAtStart } = environment
  return `${processor}; ${cores} cores, ${memoryGb} GB; Node ${node}; commit ${commit}; load at start ${loadAtStart}`
}

/** The instruction sets that decide how fast int8 arithmetic is. */
function processorFlags(): string {
  const known = ['avx2', 'avx512f', 'avx_vnni', 'avx512_vnni', 'amx_int8']
  try {
    const flags = execFileSync('grep', ['-m1', '^flags', '/proc/cpuinfo'], { encoding: 'utf8' }).split(/\s+/)
    return ` (${known.filter((name) => flags.includes(name)).join(' ') || 'no AVX2'})`
  } catch {
    return ''
  }
}

function commit(): string {
  const git = (...args: string[]) =>
    execFileSync('git', args, {
      cwd: repository,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  try {
    const changed = git('status', '--porcelain', '--', '.', ':!bench/results') !== ''
    return git('rev-parse', '--short', 'HEAD') + (changed ? ' with changes' : '')
  } catch {
    return 'none'
  }
}
