import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** What links our own packages; links to them are made anew, or they would lead here. */
const ownScope = '@memory'

/** @throws what git writes to standard error */
const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()

/**
 * The release before this one: what PREVIOUS_RELEASE names, else the newest tag before this commit, else, where nothing
 * is tagged, the commit in previous-release.txt.
 * @returns its commit; undefined where the history of this clone does not go back so far
 */
export function findPreviousRelease(): string | undefined {
  const named = process.env.PREVIOUS_RELEASE
  if (named !== undefined) return commitOf(named)
  try {
    return commitOf(
      newestTag() ?? readFileSync(new URL('previous-release.txt', import.meta.url), 'utf8').trim(),
    )
  } catch {
    // A shallow clone, an archive of the sources, or no git.
    return undefined
  }
}

const commitOf = (name: string): string => git('rev-parse', '--verify', `${name}^{commit}`)

function newestTag(): string | undefined {
  try {
    return git('describe', '--tags', '--abbrev=0', 'HEAD^')
  } catch {
    return undefined
  }
}

/** Lays out the sources of a commit in a new folder, so that their processes can be started. */
export function checkOut(commit: string, folder: string): void {
  mkdirSync(folder)
  const archive = join(folder, 'sources.tar')
  git('archive', '--format=tar', `--output=${archive}`, commit)
  execFileSync('tar', ['-xf', archive, '-C', folder])
  rmSync(archive)
  if (dependenciesOf(folder) === dependenciesOf(root)) linkDependencies(folder)
  // Nothing has to be built: the programs run by this process' Node, and the search in JavaScript.
  else
    execFileSync('npm', ['ci', '--ignore-scripts'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
}

/** The packages that a checkout installs, and their versions. */
function dependenciesOf(folder: string): string {
  const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { version?: string; link?: boolean }>
  }
  const installed = Object.entries(packages).filter(
    ([path, { link }]) => path.startsWith('node_modules/') && !link,
  )
  return JSON.stringify(installed.map(([path, { version }]) => [path, version]))
}

function linkDependencies(folder: string): void {
  const [from, to] = [join(root, 'node_modules'), join(folder, 'node_modules')]
  mkdirSync(join(to, ownScope), { recursive: true })
  for (const name of readdirSync(from)) {
    if (name !== ownScope) symlinkSync(join(from, name), join(to, name))
  }
  for (const name of readdirSync(join(from, ownScope))) {
    symlinkSync(readlinkSync(join(from, ownScope, name)), join(to, ownScope, name))
  }
}
