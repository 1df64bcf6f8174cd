import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Where `test/sdk/package.system.test.ts` looks for other runtimes. */
export const runtimesFolder = fileURLToPath(new URL('../node_modules/.cache/runtimes', import.meta.url))

const versions = { deno: '2.9.6', bun: '1.4.5' }

/** Fetches Deno and Bun, and runs the published packages in them and in Node. */
if (import.meta.main) {
  mkdirSync(runtimesFolder, { recursive: true })
  writeFileSync(
    join(runtimesFolder, 'package.json'),
    JSON.stringify({ private: true, dependencies: versions }),
  )
  execFileSync('npm', ['install', '--no-audit', '--no-fund'], { cwd: runtimesFolder, stdio: 'inherit' })
  const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url))
  execFileSync(process.execPath, [vitest, 'run', 'test/sdk/package.system.test.ts'], { stdio: 'inherit' })
}
