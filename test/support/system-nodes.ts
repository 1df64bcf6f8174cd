import { execFileSync } from 'node:child_process'

/** The paths of Nodes that the system has installed, of versions that are supported. */
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
