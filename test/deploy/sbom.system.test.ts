import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

interface Component {
  'bom-ref': string
  licenses?: { license?: { id?: string; name?: string }; expression?: string }[]
  hashes?: { alg: string; content: string }[]
}

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Licences that let the service be used and passed on as it is. */
const licences =
  /^\(?(.* OR )?(MIT|MIT-0|Apache-2\.0|BSD-[23]-Clause|ISC|0BSD|BlueOak-1\.0\.0|MPL-2\.0|Unlicense|Python-2\.0|PSF-2\.0)( OR .*)?\)?$/

const { components } = JSON.parse(
  execFileSync('npm', ['run', '--silent', 'sbom'], { cwd: root, encoding: 'utf8', maxBuffer: 100_000_000 }),
) as { components: Component[] }

const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, { name?: string; version?: string; link?: boolean }>
}
const nameOf = (path: string) => path.split('node_modules/')[1] && path.split('node_modules/').at(-1)
/** Names of the packages of this repository. */
const own = new Set(
  Object.entries(packages).flatMap(([path, { link }]) => (link ? (nameOf(path) ?? []) : [])),
)

it('S3 the bill of materials names every locked package', () => {
  const locked = Object.entries(packages).flatMap(([path, { name: itsOwn, version }]) => {
    const name = nameOf(path)
    // One that is installed under another name says its own.
    return name === undefined || own.has(name) ? [] : [`${itsOwn ?? name}@${version}`]
  })
  const named = new Set(components.map((component) => component['bom-ref']))
  expect(own.size).toBeGreaterThan(5)
  expect(locked.length).toBeGreaterThan(200)
  expect(locked.filter((ref) => !named.has(ref))).toEqual([])
})

it('S3 every package has a licence that allows its use, and a checksum', () => {
  const foreign = components.filter((component) => !own.has(component['bom-ref'].replace(/@[^@]*$/, '')))
  const licenceOf = ({ licenses = [] }: Component) =>
    licenses.map(({ license, expression }) => license?.id ?? license?.name ?? expression ?? '').join(' AND ')
  const wrong = foreign.filter(
    (component) => !licences.test(licenceOf(component)) || !component.hashes?.length,
  )
  expect(wrong.map((component) => `${component['bom-ref']}: ${licenceOf(component)}`)).toEqual([])
})
