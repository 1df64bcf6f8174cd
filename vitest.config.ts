import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    // For what hangs: a machine that is busy with something else takes its time.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A worker imports the service once for all of its files: no module of it keeps anything that tests could share.
    isolate: false,
    maxWorkers: Math.min(availableParallelism(), 4),
    // Node runs the sources as it does in service. Nothing is mocked by module, which is what its loader is for.
    experimental: { viteModuleRunner: false, nodeLoader: false },
  },
})
