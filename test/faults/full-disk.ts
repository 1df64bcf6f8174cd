import { spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { join } from 'node:path'

const mebibyte = 2 ** 20
/** Where every user gets to, a database server's among them: the folder of a test run is its own. */
const parent = '/tmp'

/** A disk of its own for a test, which something else can fill. */
export interface SmallDisk {
  folder: string
  freeMiB(): number
  /** Has something else take all but so much. */
  fill(leftMiB: number): void
  /** Takes that away again. */
  empty(): void
  remove(): void
}

/** Whether this user may mount a disk. */
export const canMount = process.platform === 'linux' && mounts()

function mounts(): boolean {
  const folder = mkdtempSync(join(parent, 'memory-mount-'))
  try {
    if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder]).status !== 0) return false
    return spawnSync('umount', [folder]).status === 0
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Needs `canMount`. */
export function mountDisk(sizeMiB: number): SmallDisk {
  const folder = mkdtempSync(join(parent, 'memory-disk-'))
  const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeMiB}m`, 'tmpfs', folder])
  if (status !== 0) throw new Error(`No disk could be mounted: ${stderr}`)
  const filler = join(folder, 'filler')
  const freeMiB = () => {
    const { bavail, bsize } = statfsSync(folder)
    return (bavail * bsize) / mebibyte
  }
  return {
    folder,
    freeMiB,
    fill: (leftMiB) => {
      const file = openSync(filler, 'a')
      const block = Buffer.alloc(mebibyte / 16)
      while (freeMiB() > leftMiB) writeSync(file, block)
      closeSync(file)
    },
    empty: () => rmSync(filler, { force: true }),
    remove: () => {
      spawnSync('umount', ['--lazy', folder])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
