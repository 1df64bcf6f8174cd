import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { asksDatabase, reachesKernels } from './test/support/reached.ts'

/** Tests of one kind, which the end of their files' names tells. */
const project = (
  name: string,
  include: string,
  exclude: string[] = [],
  setupFiles: string[] = [],
): TestProjectInlineConfiguration => ({
  extends: true,
  test: { name, include: [include], exclude, setupFiles },
})

const service = 'test/**/*.service.test.ts'
const system = 'test/**/*.system.test.ts'
const unit = 'test/**/*.test.ts'

/** Tests that ask the database nothing that others do not; those that can't ask it at all are found by their imports. */
const sameOnAnyDatabase = () => [
  ...globSync([service, system]).filter((path) => !asksDatabase(path)),
  'test/{docs,sdk,examples,python,router}/**',
  // What they store by themselves are the consents of test/mcp/oauth.service.test.ts.
  'test/mcp/{tools,transport}.service.test.ts',
  'test/mcp/**/*.system.test.ts',
  // Which fields there are, what is said of them, and how files of others are read.
  'test/http/{openapi,unknown-fields}.service.test.ts',
  'test/http/fuzz.system.test.ts',
  'test/cli/formats.service.test.ts',
  'test/accounts/login-times.system.test.ts',
]
// Set by scripts/test-postgres.ts where it was asked for no test by name.
const leftOut = process.env.TEST_ONLY_DATABASE === '1' ? sameOnAnyDatabase() : []

/** Tests that are the same with whichever kernels. */
const sameOnAnyKernels = () =>
  globSync(unit, { exclude: [service, system] }).filter((path) => !reachesKernels(path))
// Set by .ci/run where they were all done with the native ones.
const withoutKernels = process.env.TEST_ONLY_KERNELS === '1' ? sameOnAnyKernels() : []

export default defineConfig({
  test: {
    projects: [
      // No server, database or process: test/architecture.test.ts sees to it.
      project('unit', unit, [service, system, ...withoutKernels]),
      // The service or parts of it in the tests' own process, over a database of its own.
      project('service', service, leftOut, ['test/support/kept-compiled.ts', 'test/support/json.ts']),
      // What starts processes, cuts connections, fills disks, fuzzes, or takes the time by the wall.
      project('system', system, leftOut),
    ],
    globalSetup: ['test/support/global-setup.ts'],
    // For what hangs: a machine that is busy with something else takes its time.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // A worker imports the service once for all of its files: no module of it keeps anything that tests could share.
    isolate: false,
    maxWorkers: Math.min(availableParallelism(), 4),
    // V8 in Node 24 may end a worker that has opened many embedded databases when it frees compiled code that none of them runs
    // any more (nodejs/node issues 64500 and 66366): it keeps that code.
    execArgv: ['--no-wasm-code-gc'],
    // Node runs the sources as it does in service. Nothing is mocked by module, which is what its loader is for.
    experimental: { viteModuleRunner: false, nodeLoader: false },
  },
})
