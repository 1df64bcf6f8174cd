import { existsSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const read = (...path: string[]) => readFileSync(join(...path), 'utf8').trim()

/** The release that runs. */
export function packageVersion(): string {
  return (JSON.parse(read(root, 'package.json')) as { version: string }).version
}

/** The commit that runs: as its image was told, or of the clone it runs from; else `unknown`. */
export function builtFrom(folder = root): string {
  try {
    return existsSync(join(folder, 'commit')) ? read(folder, 'commit') : checkedOut(join(folder, '.git'))
  } catch {
    return 'unknown'
  }
}

/** Read from git's files: git itself need not be there. @throws where they are not as expected */
function checkedOut(git: string): string {
  // In a further work tree it is a file that names the folder.
  const own = statSync(git).isFile() ? resolve(git, '..', read(git).replace('gitdir: ', '')) : git
  const head = read(own, 'HEAD')
  if (!head.startsWith('ref: ')) return head
  const ref = head.slice('ref: '.length)
  const common = existsSync(join(own, 'commondir')) ? resolve(own, read(own, 'commondir')) : own
  if (existsSync(join(common, ref))) return read(common, ref)
  const packed = read(common, 'packed-refs').split('\n')
  return packed.find((line) => line.endsWith(` ${ref}`))?.split(' ')[0] ?? 'unknown'
}
