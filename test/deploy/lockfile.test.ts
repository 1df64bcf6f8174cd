import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

// `npm ci`, here and in the Dockerfile, refuses a lockfile that does not fit the manifests.

interface Manifest {
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

const root = fileURLToPath(new URL('../..', import.meta.url))
const readJson = <Content>(path: string): Content => JSON.parse(readFileSync(join(root, path), 'utf8'))
const { packages } = readJson<{ packages: Record<string, Manifest> }>('package-lock.json')

it.each(['package.json', ...globSync(['packages/*/package.json', 'apps/*/package.json'], { cwd: root })])(
  'locks what %s asks for',
  (path) => {
    const { dependencies, devDependencies } = readJson<Manifest>(path)
    const folder = dirname(path)
    expect(packages[folder === '.' ? '' : folder]).toMatchObject(
      JSON.parse(JSON.stringify({ dependencies, devDependencies })),
    )
  },
)

it('locks the builds for every system, not only for the one it was made on', () => {
  const locked = new Set(Object.keys(packages).map((path) => path.split('node_modules/').at(-1)))
  const missing = Object.values(packages).flatMap(({ optionalDependencies = {} }) =>
    Object.keys(optionalDependencies).filter((name) => !locked.has(name)),
  )
  expect(missing).toEqual([])
})
