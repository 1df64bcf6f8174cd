import { availableParallelism } from 'node:os'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'

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

/** Tests that never ask the database, or ask it nothing that others do not. */
const sameOnAnyDatabase = [
  'test/{docs,encoder,sdk,examples,deploy,scripts}/**',
  'test/http/{slow-clients,fuzz}.system.test.ts',
  'test/accounts/login-times.system.test.ts',
  'test/platform/settings-help.system.test.ts',
]
// Set by scripts/test-postgres.ts where it was asked for no test by name.
const leftOut = process.env.TEST_ONLY_DATABASE === '1' ? sameOnAnyDatabase : []

export default defineConfig({
  test: {
    projects: [
      // No server, database or process: test/architecture.test.ts sees to it.
      project('unit', 'test/**/*.test.ts', [service, system]),
      // The service or parts of it in the tests' own process, over a database of its own.
      project('service', service, leftOut, ['test/support/kept-compiled.ts']),
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
    // Node runs the sources as it does in service. Nothing is mocked by module, which is what its loader is for.
    experimental: { viteModuleRunner: false, nodeLoader: false },
  },
})
