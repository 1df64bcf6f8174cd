import { readFileSync } from 'node:fs'

/** Resident memory of a process in MB: now, and the most it ever had. Linux only. */
export interface ResidentMemory {
  now: number
  peak: number
}

export function residentMemory(pid: number): ResidentMemory {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const megabytes = (field: string): number => {
    const kilobytes = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]
    if (kilobytes === undefined) throw new Error(`No ${field} of process ${pid}`)
    return Number(kilobytes) / 1024
  }
  return { now: megabytes('VmRSS'), peak: megabytes('VmHWM') }
}

/** Processor time that a process has used since its start, in ms; Linux counts it in steps of 10 ms. */
export function processorMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [user, system] = [Number(fields[11]), Number(fields[12])]
  return 10 * (user + system)
}
