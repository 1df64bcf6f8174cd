import { execFileSync } from 'node:child_process'

/** A Node of the system's own, of a version that is supported. */
export function systemNodes(): string[] {
  return ['/usr/bin/node', '/usr/local/bin/node', '/opt/homebrew/bin/node'].filter((path) => {
    try {
      const version = execFileSync(path, ['--version'], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      })
      return Number(/^v(\d+)/.exec(version)?.[1]) >= 20
    } catch {
      return false
    }
  })
}
