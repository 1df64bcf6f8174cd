import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { newFolder, removeFolder } from '../support/server.ts'
import type { Length } from '../support/texts.ts'
import type { RoundTexts } from './plan.ts'

export const peerNames = {
  faiss: 'sentence-transformers + faiss Flat',
  chroma: 'sentence-transformers + Chroma',
} as const

export type PeerName = keyof typeof peerNames

/** What one round of a peer gave; timings in ms. */
export interface PeerRound {
  /** From the start of the process to its first answer. */
  firstAnswerMs: number
  batchTextsPerSecond: Record<Length, number>
  add: Record<Length, number[]>
  search: Record<Length, number[]>
  memoryMb: { atRest: number; afterUse: number }
}

interface Line {
  ready?: boolean
  residentMb: number
}

/** Runs the Python peer on the round's texts, in a process of its own. */
export async function measurePeer(python: string, peer: PeerName, texts: RoundTexts): Promise<PeerRound> {
  const folder = newFolder()
  const file = join(folder, 'texts.json')
  writeFileSync(file, JSON.stringify(texts))
  const script = fileURLToPath(new URL('../python/text_peers.py', import.meta.url))
  const started = performance.now()
  const child = spawn(python, [script, '--peer', peer, '--texts', file], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, HF_HUB_OFFLINE: '1' },
  })
  let errors = ''
  child.stderr.on('data', (chunk) => {
    errors += chunk
  })
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  let ready: { atMs: number; residentMb: number } | undefined
  let result: (Line & Omit<PeerRound, 'firstAnswerMs' | 'memoryMb'>) | undefined
  for await (const text of createInterface(child.stdout)) {
    const line = JSON.parse(text)
    if (line.ready) ready = { atMs: performance.now() - started, residentMb: line.residentMb }
    else result = line
  }
  const status = await ended
  removeFolder(folder)
  if (status !== 0 || ready === undefined || result === undefined) {
    throw new Error(`The peer ${peer} ended with status ${status}:\n${errors.slice(-2000)}`)
  }
  const { batchTextsPerSecond, add, search, residentMb } = result
  return {
    firstAnswerMs: ready.atMs,
    batchTextsPerSecond,
    add,
    search,
    memoryMb: { atRest: ready.residentMb, afterUse: residentMb },
  }
}
