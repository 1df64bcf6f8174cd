/**
 * Fails where the registry knows of an advisory of high severity for a locked package. A registry that has no
 * advisories (mirrors often don't) is said and passes: what nobody can answer must not stop a build.
 *
 *   npm run audit
 */
import { spawnSync } from 'node:child_process'

interface Report {
  metadata?: { vulnerabilities: Record<string, number> }
  message?: string
  error?: { summary?: string }
}

const { stdout } = spawnSync('npm', ['audit', '--json', '--audit-level=high', '--loglevel=error'], {
  encoding: 'utf8',
  maxBuffer: 100_000_000,
  timeout: 120_000,
})
const { metadata, message, error } = JSON.parse(stdout || '{}') as Report
if (metadata === undefined) {
  console.log(
    `npm audit: not checked, the registry gave no advisories (${message ?? error?.summary ?? 'no answer'})`,
  )
} else {
  const { high = 0, critical = 0 } = metadata.vulnerabilities
  console.log(`npm audit: ${high} high, ${critical} critical`)
  if (high + critical > 0) process.exitCode = 1
}
