// Run by Node, Deno and Bun alike, with the published packages: what differs between their fetch and crypto.
import { createMemoryHandler } from 'memory-service-router/fetch'
import { MemoryClient, project, signWebhook, verifyWebhook } from 'memory-service-sdk'

const [baseUrl] = globalThis.Deno?.args ?? process.argv.slice(2)
const waits = []
const memory = new MemoryClient({
  apiKey: 'key',
  baseUrl,
  // Each is up to a quarter longer by chance.
  wait: async (ms) => void waits.push(Math.floor(ms / 1_000)),
  maxRetries: 3,
})
const name = (call) =>
  call.then(
    () => 'none',
    (error) => `${error.name} ${error.status ?? ''}`.trim(),
  )

const found = {}
found.stats = await memory.text.stats()
found.handler = await (
  await createMemoryHandler({ client: memory })(new Request('http://app/memory/stats'))
).json()
found.listed = []
for await (const { pattern_id } of memory.patterns.all()) found.listed.push(pattern_id)
found.unavailable = await name(memory.engine.brain())
found.waits = waits.splice(0)
found.redirect = await name(memory.engine.regime())
found.brokenOff = await name(memory.text.important())
found.hangUp = await name(memory.engine.tierStats())
found.reconnects = waits.length
found.late = await name(memory.engine.sleep({}, { timeoutMs: 50 }))
found.aborted = await name(memory.engine.sleep({}, { signal: AbortSignal.timeout(50) }))
found.file = await (await memory.users.downloadExport('1')).text()
const secret = `whsec_${btoa('a secret of thirty-two bytes ok!')}`
found.webhook = (
  await verifyWebhook(await signWebhook('evt_1', '{"id":"evt_1"}', secret), '{"id":"evt_1"}', secret)
).id
found.projection = project([1, 2, 3], 2)
console.log(JSON.stringify(found))
