import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { pages, textOf } from './docs/pages.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const { scripts } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as {
  scripts: Record<string, string>
}

/** The anchors that a page's headings have, as GitHub makes them. */
const anchorsOf = (page: string) =>
  [...textOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    (heading as string)
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} -]/gu, '')
      .replaceAll(' ', '-'),
  )

it('README is short', () => {
  expect(Buffer.byteLength(textOf('README.md'))).toBeLessThanOrEqual(9_216)
})

it('README names many npm scripts', () => {
  expect([...textOf('README.md').matchAll(/npm run/g)].length).toBeGreaterThan(5)
})

describe.each(pages)('%s', (page) => {
  const text = textOf(page)

  it('names npm scripts that exist', () => {
    const named = [...text.matchAll(/npm run ([a-z:-]+)/g)].map(([, name]) => name as string)
    expect(named.filter((name) => scripts[name] === undefined)).toEqual([])
  })

  it('links to files and headings that exist, and leaves no blank to be filled in', () => {
    const links = [...text.matchAll(/\]\(([^)#:]*)(?:#([^)]+))?\)/g)]
    const broken = links.filter(([, path = '', anchor]) => {
      const file = path === '' ? page : join(dirname(page), path)
      return !existsSync(join(root, file)) || (anchor !== undefined && !anchorsOf(file).includes(anchor))
    })
    expect(broken.map(([link]) => link)).toEqual([])
    expect(text).not.toMatch(/@@|TODO|TBD/)
  })
})
