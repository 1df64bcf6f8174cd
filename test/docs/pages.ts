import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const globs = ['*.md', 'docs/**/*.md', 'packages/*/README.md', 'examples/*/README.md']

/** Every page for those who use, run or build on the service, by its path from the root. */
export const pages = globSync(globs, { cwd: root }).sort()

/** What stands in a page. */
export const textOf = (page: string): string => readFileSync(join(root, page), 'utf8')
