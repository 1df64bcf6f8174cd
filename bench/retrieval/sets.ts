import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { z } from 'zod'
import { shuffled } from '../support/random.ts'

const Metadata = z.record(z.string(), z.unknown())

const RetrievalSetFile = z.object({
  name: z.string(),
  kind: z.string(),
  spaces: z.array(
    z.object({
      name: z.string(),
      docs: z.array(z.object({ id: z.string(), text: z.string(), meta: Metadata.optional() })),
      queries: z.array(
        z.object({
          q: z.string(),
          /** Grades of the texts that answer, by id. */
          rel: z.record(z.string(), z.number()),
          filter: Metadata.optional(),
        }),
      ),
    }),
  ),
})

/** Texts and queries with the texts that answer them, as `bench/README.md` describes the files. */
export type RetrievalSet = z.infer<typeof RetrievalSetFile>
export type RetrievalSpace = RetrievalSet['spaces'][number]
export type RetrievalQuery = RetrievalSpace['queries'][number]

/** The service's limits: what is longer is cut, as its caller would. */
const longest = { text: 10_000, query: 5_000 }

/** The sets of a folder, by name; files are JSON, which may be packed. */
export function readSets(folder: string, only: readonly string[] | undefined): RetrievalSet[] {
  return readdirSync(folder)
    .filter((file) => /\.json(?:\.gz)?$/.test(file))
    .sort()
    .map((file) => {
      const bytes = readFileSync(join(folder, file))
      return RetrievalSetFile.parse(JSON.parse((file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString()))
    })
    .filter(({ name }) => only === undefined || only.includes(name))
    .map(cut)
}

function cut(set: RetrievalSet): RetrievalSet {
  const spaces = set.spaces.map((space) => ({
    ...space,
    docs: space.docs.map((doc) => ({ ...doc, text: doc.text.slice(0, longest.text) })),
    queries: space.queries.map((query) => ({ ...query, q: query.q.slice(0, longest.query) })),
  }))
  return { ...set, spaces }
}

/** Every space with its texts in another order, the same in every run. */
export const inRandomOrder = (space: RetrievalSpace, random: () => number): RetrievalSpace => ({
  ...space,
  docs: shuffled(space.docs, random),
})

/** The idx of the texts that a query may be answered with; undefined: all. */
export function allowedBy(space: RetrievalSpace, { filter }: RetrievalQuery): Set<number> | undefined {
  if (filter === undefined) return undefined
  const wanted = Object.entries(filter)
  const fits = ({ meta = {} }: RetrievalSpace['docs'][number]) =>
    wanted.every(([key, value]) => meta[key] === value)
  return new Set(space.docs.flatMap((doc, idx) => (fits(doc) ? [idx] : [])))
}
