/**
 * The console in a browser: how soon its first page answers and how much it loads, the list of a large space, the map,
 * and what a newcomer does until the first memory.
 *
 *   npm run bench -- console [--patterns 100000] [--map 20000] [--rounds 5] [--data SENTENCES.csv]
 */
import type { Browser } from 'playwright-core'
import { openEncoder } from '../packages/engine/src/encoder/encoder.ts'
import { readOptions } from '../scripts/read-options.ts'
import { startBrowser } from '../test/docs/browser.ts'
import { arrive, readLink } from './console/newcomer.ts'
import { gzipBytes, openFirst, visitMap, visitMemories } from './console/pages.ts'
import { newVisitor } from './console/watch.ts'
import { fill } from './recall-cost/fill.ts'
import { combine, encodeTexts, readSentences } from './recall-cost/texts.ts'
import { environmentLine, readEnvironment } from './support/environment.ts'
import { table, writeResult } from './support/results.ts'
import { newFolder, removeFolder, startServer } from './support/server.ts'
import { digits, showSpread, spread } from './support/statistics.ts'

const { values: options } = readOptions({
  options: {
    patterns: { type: 'string', default: '100000' },
    map: { type: 'string', default: '20000' },
    rounds: { type: 'string', default: '5' },
    data: { type: 'string' },
  },
})
const [patterns, mapped, rounds] = [options.patterns, options.map, options.rounds].map(Number) as [
  number,
  number,
  number,
]

const environment = readEnvironment()
console.log(`${environmentLine(environment)}\n`)
const encoder = await openEncoder(new URL('../models', import.meta.url).pathname)
const encoded = await encodeTexts(
  encoder,
  options.data === undefined ? undefined : readSentences(options.data),
)
await encoder.close()

const browser = await startBrowser()
const newcomers = []
for (let round = 0; round < rounds; round++) newcomers.push(await arrive(browser))
const list = await inSpaceOf(patterns, async (url, link) => {
  const first = []
  for (let round = 0; round < rounds; round++) first.push(await openFirst(browser, url))
  const { mainScript, loaded } = first[0] as (typeof first)[number]
  const sizes = await Promise.all(loaded.map(gzipBytes))
  return {
    interactiveMs: spread(first.map(({ interactiveMs }) => interactiveMs)),
    mainScriptKb: (await gzipBytes(mainScript)) / 1_000,
    firstPageKb: sizes.reduce((sum, bytes) => sum + bytes, 0) / 1_000,
    ...(await signedIn(link, (page) => visitMemories(page, url, 2 * rounds))),
  }
})
const map = await inSpaceOf(mapped, (url, link) => signedIn(link, (page) => visitMap(page, url)))
await browser.close()

const figures = {
  patterns,
  mapped,
  first: {
    interactiveMs: list.interactiveMs,
    mainScriptKb: list.mainScriptKb,
    firstPageKb: list.firstPageKb,
  },
  memories: {
    openMs: spread(list.openMs),
    nextMs: spread(list.nextMs),
    longestTaskMs: list.longestTaskMs,
  },
  map,
  newcomer: {
    clicks: newcomers[0]?.clicks ?? Number.NaN,
    readyMs: spread(newcomers.map(({ readyMs }) => readyMs)),
    storedMs: spread(newcomers.map(({ storedMs }) => storedMs)),
    recalledMs: spread(newcomers.map(({ recalledMs }) => recalledMs)),
  },
}
console.log(
  table(
    ['', ''],
    [
      ['first page interactive, ms', showSpread(figures.first.interactiveMs)],
      ['main script, KB of gzip', digits(figures.first.mainScriptKb)],
      ['all that the first page loads, KB of gzip', digits(figures.first.firstPageKb)],
      ['first rows of the memories, ms', showSpread(figures.memories.openMs)],
      ['next page, ms', showSpread(figures.memories.nextMs)],
      ...Object.entries(figures.memories.longestTaskMs).map(([when, ms]) => [
        `longest task, ${when}`,
        `${ms}`,
      ]),
      ['map drawn, ms', digits(map.firstMs)],
      ['map drawn again, ms', digits(map.againMs)],
      ['frames a second, panning', digits(map.panning.perSecond)],
      ['frames a second, zooming', digits(map.zooming.perSecond)],
      ...Object.entries(map.longestTaskMs).map(([when, ms]) => [`longest task of the map, ${when}`, `${ms}`]),
      ['newcomer: clicks', `${figures.newcomer.clicks}`],
      ['ready, ms', showSpread(figures.newcomer.readyMs)],
      ['stored, ms', showSpread(figures.newcomer.storedMs)],
      ['recalled, ms', showSpread(figures.newcomer.recalledMs)],
    ],
  ),
)
writeResult('console', environment, figures)

/** With a service whose local space holds so many texts, and the link that signs its operator in. */
async function inSpaceOf<T>(count: number, measure: (url: string, link: string) => Promise<T>): Promise<T> {
  const dataDir = newFolder()
  try {
    await fill(combine(encoded, count), { dataDir })
    const server = await startServer({ dataDir })
    try {
      return await measure(`http://127.0.0.1:${server.port}`, await readLink(dataDir))
    } finally {
      await server.stop()
    }
  } finally {
    removeFolder(dataDir)
  }
}

async function signedIn<T>(
  link: string,
  visit: (page: Awaited<ReturnType<typeof newVisitor>>['page']) => Promise<T>,
): Promise<T> {
  const { context, page } = await newVisitor(browser satisfies Browser)
  try {
    await page.goto(link)
    await page.getByRole('heading', { level: 1, name: 'First steps' }).waitFor()
    return await visit(page)
  } finally {
    await context.close()
  }
}
