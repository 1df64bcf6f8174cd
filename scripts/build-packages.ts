import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** In the order in which they need each other. */
export const packages = ['sdk', 'router'] as const

interface Manifest {
  exports: Record<string, string>
  [field: string]: unknown
}

/** What is published: the sources' manifest, whose entries lead to what was built. */
export function publishedManifest({ private: _, devDependencies, ...manifest }: Manifest): object {
  const built = Object.entries(manifest.exports).map(([entry, source]) => {
    const base = source.replace('./src/', './').replace(/\.ts$/, '')
    return [entry, { types: `${base}.d.ts`, default: `${base}.js` }]
  })
  return { ...manifest, engines: { node: '>=20' }, exports: Object.fromEntries(built) }
}

/** Builds each package into its folder `dist`, which `npm pack` and `npm publish` take. */
export function buildPackages(): void {
  for (const name of packages) {
    const folder = join(root, 'packages', name)
    const dist = join(folder, 'dist')
    rmSync(dist, { recursive: true, force: true })
    execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder], {
      stdio: 'inherit',
    })
    writeManifest(dist, publishedManifest(readManifest(folder)))
    copyFileSync(join(folder, 'README.md'), join(dist, 'README.md'))
    copyFileSync(join(root, 'LICENSE'), join(dist, 'LICENSE'))
  }
}

/**
 * Lays out the native kernels as packages, in folders of `crates/accel/dist`: `accel`, and one for each platform whose addon
 * is in `crates/accel` (this machine's, once it is built). `accel` has those of all platforms as optional dependencies, of
 * which npm installs the one that fits.
 */
export function buildAddonPackages(): void {
  const crate = join(root, 'crates/accel')
  const dist = join(crate, 'dist')
  rmSync(dist, { recursive: true, force: true })
  const napi = join(root, 'node_modules/@napi-rs/cli/dist/cli.js')
  execFileSync(process.execPath, [napi, 'create-npm-dirs', '--npm-dir', 'dist'], {
    cwd: crate,
    stdio: 'ignore',
  })
  const { private: _, scripts, napi: targets, devDependencies, ...manifest } = readManifest(crate)
  const optionalDependencies: Record<string, unknown> = {}
  for (const platform of readdirSync(dist)) {
    const folder = join(dist, platform)
    const { name, version, main } = readManifest(folder) as Manifest & { name: string; main: string }
    optionalDependencies[name] = version
    if (existsSync(join(crate, main))) {
      copyFileSync(join(crate, main), join(folder, main))
      copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
    } else rmSync(folder, { recursive: true })
  }
  const folder = join(dist, 'accel')
  mkdirSync(folder)
  for (const file of ['index.js', 'index.d.ts', 'binding.cjs', 'binding.d.cts'])
    copyFileSync(join(crate, file), join(folder, file))
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  writeManifest(folder, { ...manifest, engines: { node: '>=20' }, optionalDependencies })
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
}

function writeManifest(folder: string, manifest: object): void {
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}

if (import.meta.main) {
  buildPackages()
  buildAddonPackages()
}
