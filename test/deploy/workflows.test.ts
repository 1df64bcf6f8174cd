import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'

// GitHub runs nowhere in these tests: they hold its workflows against what they run.

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')

interface Step {
  uses?: string
  run?: string
  with?: Record<string, unknown>
}

interface Job {
  needs?: string
  uses?: string
  permissions?: Record<string, string>
  steps?: Step[]
}

interface Workflow {
  on: Record<string, unknown>
  permissions: Record<string, string>
  jobs: Record<string, Job>
}

const workflows = globSync('.github/workflows/*.yml', { cwd: root }).sort()
const workflowOf = (path: string) => parse(read(path)) as Workflow
const stepsOf = ({ jobs }: Workflow) => Object.values(jobs).flatMap(({ steps }) => steps ?? [])
const runsOf = (steps: Step[]) => steps.map(({ run }) => run ?? '').join('\n')
const manifestOf = (path: string) => JSON.parse(read(join(path, 'package.json')))

describe.each(workflows)('%s', (path) => {
  const workflow = workflowOf(path)

  it('runs scripts and programs that there are, and actions of one version', () => {
    const { scripts } = manifestOf('.')
    for (const [, name] of runsOf(stepsOf(workflow)).matchAll(/\bnpm run ([\w:]+)/g)) {
      expect(Object.keys(scripts)).toContain(name)
    }
    for (const { uses } of stepsOf(workflow)) {
      if (uses !== undefined) expect(uses).toMatch(/^[\w-]+\/[\w-]+@v\d+\.\d+\.\d+$/)
    }
  })

  it('may read, and nothing else unless a job says so', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' })
  })
})

describe('the release', () => {
  const release = workflowOf('.github/workflows/release.yml')
  const { ci, ...publishing } = release.jobs

  it('is of a tag, and publishes nothing before all checks have passed', () => {
    expect(release.on).toEqual({ push: { tags: ['v*'] } })
    expect(ci).toEqual({ uses: './.github/workflows/ci.yml' })
    expect(workflowOf('.github/workflows/ci.yml').on).toHaveProperty('workflow_call')
    for (const job of Object.values(publishing)) expect(job.needs).toBe('ci')
  })

  it('is trusted by the registries for what it is, and has no token of theirs', () => {
    for (const job of Object.values(publishing)) {
      expect(job.permissions).toEqual({ contents: 'read', 'id-token': 'write' })
    }
    expect(read('.github/workflows/release.yml')).not.toMatch(/secrets\.|TOKEN|password/)
  })

  it('publishes each package that can be installed from npm, by its name', () => {
    const runs = runsOf(publishing.npm?.steps ?? [])
    const [, names] = /for name in (.*);/.exec(runs) ?? []
    const published = globSync('packages/*/package.json', { cwd: root })
      .map((path) => manifestOf(join(path, '..')).name as string)
      .filter((name) => name.startsWith('memory-service-'))
    expect(
      names
        ?.split(' ')
        .map((name) => `memory-service-${name}`)
        .sort(),
    ).toEqual(published.sort())
    for (const name of names?.split(' ') ?? []) {
      expect(manifestOf(`packages/${name}`)).toMatchObject({
        name: `memory-service-${name}`,
        version: manifestOf('.').version,
      })
    }
  })

  it('builds for PyPI with what the tests build with', () => {
    const [, tested] = /^(hatchling==\S+)$/m.exec(read('test/python/requirements.txt')) ?? []
    expect(runsOf(publishing.pypi?.steps ?? [])).toContain(`pipx run ${tested} build`)
  })
})
