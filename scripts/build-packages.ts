import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The packages that are built one file at a time, in the order in which they need each other. */
export const packages = ['sdk', 'router'] as const

interface Manifest {
  exports: Record<string, string>
  [field: string]: unknown
}

/** What is published: the sources' manifest, whose entries lead to what was built, for `import` and for `require`. */
function publishedManifest({ private: _, devDependencies, ...manifest }: Manifest): object {
  const built = Object.entries(manifest.exports).map(([entry, source]) => {
    const base = source.replace('./src/', '').replace(/\.ts$/, '')
    const files = (folder: string) => ({ types: `${folder}${base}.d.ts`, default: `${folder}${base}.js` })
    return [entry, { import: files('./'), require: files('./cjs/') }] as const
  })
  const [, { require }] = built.find(([entry]) => entry === '.') as (typeof built)[number]
  return {
    ...manifest,
    engines: { node: '>=20' },
    main: require.default,
    types: require.types,
    exports: { ...Object.fromEntries(built), './package.json': './package.json' },
  }
}

/** Builds each package into its folder `dist`, which `npm pack` and `npm publish` take. */
export function buildPackages(): void {
  for (const name of packages) {
    const folder = join(root, 'packages', name)
    const dist = join(folder, 'dist')
    rmSync(dist, { recursive: true, force: true })
    compile(folder, [])
    const commonJs = [
      '--module',
      'commonjs',
      '--moduleResolution',
      'bundler',
      '--verbatimModuleSyntax',
      'false',
    ]
    compile(folder, [...commonJs, '--outDir', join(dist, 'cjs')])
    writeManifest(join(dist, 'cjs'), { type: 'commonjs', sideEffects: false })
    writeManifest(dist, publishedManifest(readManifest(folder)))
    copyFileSync(join(folder, 'README.md'), join(dist, 'README.md'))
    copyFileSync(join(root, 'LICENSE'), join(dist, 'LICENSE'))
  }
}

function compile(folder: string, options: string[]): void {
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  execFileSync(process.execPath, [tsc, '-p', folder, ...options], { stdio: 'inherit' })
}

/**
 * Builds the MCP server into `packages/mcp/dist`: one program, with what it uses of this repository in it, so that it runs
 * by `npx` in a folder without anything else.
 */
export async function buildMcpPackage(): Promise<void> {
  const folder = join(root, 'packages/mcp')
  const dist = join(folder, 'dist')
  rmSync(dist, { recursive: true, force: true })
  const { private: _, exports: __, dependencies, ...manifest } = readManifest(folder)
  // Those of this repository go into the program, whether they are published or not: one thing to install.
  const published = Object.entries(dependencies as Record<string, string>).filter(
    ([name]) => !/^(@memory\/|memory-service-)/.test(name),
  )
  const isPublished = (name: string) =>
    published.some(([each]) => name === each || name.startsWith(`${each}/`))
  await using build = await rolldown({
    input: join(folder, 'src/main.ts'),
    platform: 'node',
    external: isPublished,
    logLevel: 'warn',
  })
  await build.write({ file: join(dist, 'main.js'), format: 'esm', banner: '#!/usr/bin/env node' })
  writeManifest(dist, {
    ...manifest,
    engines: { node: '>=20' },
    bin: { 'memory-service-mcp': './main.js' },
    dependencies: Object.fromEntries(published),
  })
  copyFileSync(join(folder, 'README.md'), join(dist, 'README.md'))
  copyFileSync(join(root, 'LICENSE'), join(dist, 'LICENSE'))
}

/**
 * Lays out the native kernels as packages, a folder of `crates/accel/dist` for each platform whose addon is in
 * `crates/accel` (this machine's, once it is built). Where one is installed beside a clone, the clone builds nothing.
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
  for (const platform of readdirSync(dist)) {
    const folder = join(dist, platform)
    const { main } = readManifest(folder) as Manifest & { main: string }
    if (existsSync(join(crate, main))) {
      copyFileSync(join(crate, main), join(folder, main))
      copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
    } else rmSync(folder, { recursive: true })
  }
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
}

function writeManifest(folder: string, manifest: object): void {
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}

if (import.meta.main) {
  buildPackages()
  await buildMcpPackage()
  buildAddonPackages()
}
