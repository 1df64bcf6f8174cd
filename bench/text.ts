/**
 * Text memory end to end: store and retrieve over HTTP, what of it is the encoder, start, batches, memory, and
 * beside it what one would otherwise build in Python.
 *
 *   npm run bench -- text [--python VENV/bin/python] [--quick] [--database-url postgres://…]
 */
import { fork } from 'node:child_process'
import { openEncoder } from '../packages/engine/src/encoder/encoder.ts'
import { readOptions } from '../scripts/read-options.ts'
import type { EmbeddedSamples } from './support/embedded-database.ts'
import { environmentLine, readEnvironment } from './support/environment.ts'
import { writeResult } from './support/results.ts'
import { newFolder, removeFolder } from './support/server.ts'
import { peerFigures, serviceFigures, timing } from './text/figures.ts'
import { measurePeer, type PeerName, type PeerRound, peerNames } from './text/peers.ts'
import { fullPlan, quickPlan, roundTexts } from './text/plan.ts'
import { type Figures, report } from './text/report.ts'
import { measureService, type ServiceRound } from './text/service-round.ts'

const { values: options } = readOptions({
  options: {
    python: { type: 'string' },
    quick: { type: 'boolean', default: false },
    'database-url': { type: 'string' },
  },
})
const plan = options.quick ? quickPlan : fullPlan
const databaseUrl = options['database-url']

const environment = readEnvironment()
console.log(`${environmentLine(environment)}\n`)

const service: ServiceRound[] = []
const peers: Record<PeerName, PeerRound[]> = { faiss: [], chroma: [] }
const embedded: EmbeddedSamples[] = []
const encoder = await openEncoder(new URL('../models', import.meta.url).pathname)
// The key of a PostgreSQL database is made once, so its rounds share the folder that keeps it.
const sharedFolder = newFolder()
for (let round = 1; round <= plan.rounds; round++) {
  const texts = roundTexts(plan, round)
  const dataDir = databaseUrl === undefined ? newFolder() : sharedFolder
  console.log(`Round ${round} of ${plan.rounds}: the service`)
  service.push(await measureService(texts, { dataDir, databaseUrl, encoder }))
  removeFolderUnlessShared(dataDir)
  if (databaseUrl === undefined) embedded.push(await measureEmbeddedDatabase())
  if (options.python === undefined) continue
  for (const peer of Object.keys(peerNames) as PeerName[]) {
    console.log(`Round ${round} of ${plan.rounds}: ${peerNames[peer]}`)
    peers[peer].push(await measurePeer(options.python, peer, texts))
  }
}
await encoder.close()
removeFolder(sharedFolder)

const figures: Figures = {
  service: serviceFigures(service),
  embeddedDatabase:
    databaseUrl === undefined
      ? {
          select: timing(embedded.map((samples) => samples.select)),
          insert: timing(embedded.map((samples) => samples.insert)),
          durableInsert: timing(embedded.map((samples) => samples.durableInsert)),
        }
      : undefined,
  peers: Object.fromEntries(
    Object.entries(peers).flatMap(([name, rounds]) =>
      rounds.length > 0 ? [[name, peerFigures(rounds)]] : [],
    ),
  ),
}
console.log(`\n${report(figures)}`)
if (!options.quick) {
  writeResult(databaseUrl === undefined ? 'text' : 'text-postgresql', environment, { plan, ...figures })
}

function removeFolderUnlessShared(folder: string): void {
  if (folder !== sharedFolder) removeFolder(folder)
}

function measureEmbeddedDatabase(): Promise<EmbeddedSamples> {
  return new Promise((resolve, reject) => {
    const child = fork(new URL('./support/embedded-database.ts', import.meta.url))
    child.once('message', (samples) => resolve(samples as EmbeddedSamples))
    child.once('exit', () =>
      reject(new Error('The measurement of the embedded database ended without a result')),
    )
  })
}
