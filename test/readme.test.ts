import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const readme = readFileSync(`${root}README.md`, 'utf8')
const { scripts } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as {
  scripts: Record<string, string>
}

it('names npm scripts that exist', () => {
  const named = [...readme.matchAll(/npm run ([a-z:-]+)/g)].map(([, name]) => name as string)
  expect(named.length).toBeGreaterThan(5)
  expect(named.filter((name) => scripts[name] === undefined)).toEqual([])
})

it('links to files that exist, and leaves no blank to be filled in', () => {
  const links = [...readme.matchAll(/\]\(([^)#:]+)\)/g)].map(([, path]) => path as string)
  expect(links.filter((path) => !existsSync(root + path))).toEqual([])
  expect(readme).not.toMatch(/@@|TODO|TBD/)
})
