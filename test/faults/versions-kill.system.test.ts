import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ServiceProcess } from '../process/service-process.ts'
import { type Killable, newKillable } from './killable.ts'

let killable: Killable

beforeAll(async () => {
  killable = await newKillable('versions-kill')
})

afterAll(() => killable.remove())

const ids = Array.from({ length: 12 }, (_, n) => `note/${n}`)

/** So many changes are answered when the process is killed; the others are on their way. */
const answeredAtKill = [0, 1, 3, 6, 9, 11]

/** What a note says in a round: every second one is longer than a passage. */
const textOf = (id: string, round: number) =>
  `${id} of round ${round}.${ids.indexOf(id) % 2 === 0 ? '' : ' The ferry to the island leaves at nine.'.repeat(30)}`

interface Note {
  version: number
  text: string
  metadata: { round: number }
  occurred_at: string
}

const occurredIn = (round: number) => new Date(Date.UTC(2024, 0, 1 + round)).toISOString()

/** Sends one request for each note, kills the service after so many answers, and says whose was answered. */
async function killWhile(
  service: ServiceProcess,
  answers: number,
  send: (client: ReturnType<ServiceProcess['client']>, id: string) => Promise<{ status: number }>,
): Promise<Set<string>> {
  const answered = new Set<string>()
  const enough = Promise.withResolvers<void>()
  if (answers === 0) enough.resolve()
  const client = service.client()
  const sending = ids.map(async (id) => {
    const answer = await send(client, id).catch(() => undefined)
    if (answer === undefined) return
    expect(answer.status).toBe(200)
    answered.add(id)
    if (answered.size === answers) enough.resolve()
  })
  await Promise.race([enough.promise, Promise.all(sending)])
  await service.stop('SIGKILL')
  await Promise.all(sending)
  expect(answered.size).toBeGreaterThanOrEqual(answers)
  return answered
}

/** Each part of a note is of one moment: its text, metadata, time, vector, passages and history. @returns the notes by id */
async function notesOf(service: ServiceProcess): Promise<Map<string, Note>> {
  const client = service.client()
  const notes = new Map<string, Note>()
  const { patterns } = (await client.post('/v1/memory/patterns/search', { limit: 200 })).body
  expect(patterns).toHaveLength(ids.length)
  for (const id of ids) {
    const path = `/v1/memory/patterns/ext:${encodeURIComponent(id)}`
    const note: Note & { pattern_id: string } = (await client.get(path)).body
    const { round } = note.metadata
    expect(note).toMatchObject({ text: textOf(id, round), occurred_at: occurredIn(round) })
    const { versions } = (await client.get(`${path}/history?limit=50`)).body
    expect(versions.map(({ version }: Note) => version)).toEqual(
      Array.from({ length: note.version }, (_, n) => note.version - n),
    )
    for (const { text, metadata } of versions as Note[]) expect(text).toBe(textOf(id, metadata.round))
    expect(versions[0]).toMatchObject({ text: note.text, metadata: note.metadata })
    const found = await client.post('/v1/memory/text/retrieve', { query: note.text, top_k: 1 })
    expect(found.body.results[0]).toMatchObject({ pattern_id: note.pattern_id, text: note.text })
    expect(found.body.results[0].similarity).toBeGreaterThan(0.9999)
    notes.set(id, note)
  }
  return notes
}

it('an upsert or a revert that is killed has done all of it or nothing, and all of it where it was answered', async () => {
  let service = await killable.start()
  const items = ids.map((id) => ({
    text: textOf(id, 0),
    external_id: id,
    metadata: { round: 0 },
    occurred_at: occurredIn(0),
  }))
  expect((await service.client().post('/v1/memory/text/batch-store', { items })).status).toBe(200)
  let before = await notesOf(service)

  let round = 0
  for (const answers of answeredAtKill) {
    round++
    const stored = await killWhile(service, answers, (client, id) =>
      client.post('/v1/memory/text/store', {
        text: textOf(id, round),
        external_id: id,
        metadata: { round },
        occurred_at: occurredIn(round),
      }),
    )
    service = await killable.start()
    const upserted = await notesOf(service)
    for (const [id, { version, metadata }] of upserted) {
      const was = before.get(id) as Note
      const kept = [was.version, was.metadata.round]
      const replaced = [was.version + 1, round]
      expect(stored.has(id) ? [replaced] : [kept, replaced]).toContainEqual([version, metadata.round])
    }

    const reverted = await killWhile(service, answers, (client, id) =>
      client.post(`/v1/memory/patterns/ext:${encodeURIComponent(id)}/revert`, { version: 1 }),
    )
    service = await killable.start()
    before = await notesOf(service)
    for (const [id, { version, metadata }] of before) {
      const was = upserted.get(id) as Note
      const kept = [was.version, was.metadata.round]
      const back = was.version === 1 ? kept : [was.version + 1, 0]
      expect(reverted.has(id) ? [back] : [kept, back]).toContainEqual([version, metadata.round])
    }
  }
}, 600_000)
