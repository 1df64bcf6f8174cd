import { startPausedService } from '../support/paused-service.ts'
import { newFolder, removeFolder } from '../support/server.ts'
import { TextSource } from '../support/texts.ts'

const spaceTexts = 1_000
const notes = 1_000_000
const follows = 500

/** What a wish costs, in microseconds: noting it, which a request does, and following it, with all in memory. */
export async function measureNoting(): Promise<{ noteUs: number; followUs: number }> {
  const dataDir = newFolder()
  const service = await startPausedService({ dataDir })
  const { prefetcher } = service.context.memory
  const key = await service.newKey()
  const connection = await service.connect(key)
  const texts = new TextSource(1).take('short', spaceTexts)
  for (let i = 0; i < texts.length; i += 50) {
    const items = texts.slice(i, i + 50).map((text) => ({ text }))
    await connection.json('POST', '/v1/memory/text/batch-store', { items })
  }
  await connection.json('POST', '/v1/memory/text/retrieve', { query: texts[0] })
  const spaceId = await service.spaceOf(key)
  const noting = performance.now()
  for (let i = 0; i < notes; i++) prefetcher.warmLater(spaceId, [i % 20])
  const noteUs = (1_000 * (performance.now() - noting)) / notes
  await prefetcher.flush()
  const following = performance.now()
  for (let i = 0; i < follows; i++) {
    prefetcher.warmLater(spaceId, [i % 20])
    await prefetcher.flush()
  }
  const followUs = (1_000 * (performance.now() - following)) / follows
  connection.close()
  await service.stop()
  removeFolder(dataDir)
  return { noteUs, followUs }
}
