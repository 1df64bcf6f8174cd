import { execFileSync } from 'node:child_process'
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
    writeFileSync(join(dist, 'package.json'), `${JSON.stringify(publishedManifest(manifest), null, 2)}\n`)
    copyFileSync(join(folder, 'README.md'), join(dist, 'README.md'))
    copyFileSync(join(root, 'LICENSE'), join(dist, 'LICENSE'))
  }
}

if (import.meta.main) buildPackages()
