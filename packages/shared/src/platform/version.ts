import { existsSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const read = (...path: string[]) => readFileSync(join(...path), 'utf8').trim()

/** The version of this release, from package.json. */
export function packageVersion(): string {
  return (JSON.parse(read(root, 'package.json')) as { version: string }).version
}

/** The commit of this code: from the file `commit` that an image contains, or from the git clone it runs in; else `unknown`. */
export function builtFrom(folder = root): string {
  try {
    return existsSync(join(folder, 'commit')) ? read(folder, 'commit') : checkedOut(join(folder, '.git'))
  } catch {
    return 'unknown'
  }
}

/** Reads the commit from git's files, so that git need not be installed. @throws when they are not as expected */
function checkedOut(git: string): string {
  // In an additional work tree, `.git` is a file with the path of the real folder.
  const own = statSync(git).isFile() ? resolve(git, '..', read(git).replace('gitdir: ', '')) : git
  const head = read(own, 'HEAD')
  if (!head.startsWith('ref: ')) return head
  const ref = head.slice('ref: '.length)
  const common = existsSync(join(own, 'commondir')) ? resolve(own, read(own, 'commondir')) : own
  if (existsSync(join(common, ref))) return read(common, ref)
  const packed = read(common, 'packed-refs').split('\n')
  return packed.find((line) => line.endsWith(` ${ref}`))?.split(' ')[0] ?? 'unknown'
}
