import type { EmbeddedSamples } from '../support/embedded-database.ts'
import { table } from '../support/results.ts'
import { digits, type Spread, showSpread } from '../support/statistics.ts'
import { type Length, lengths } from '../support/texts.ts'
import type { PeerFigures, ServiceFigures, Timing } from './figures.ts'
import { type PeerName, peerNames } from './peers.ts'
import { connectionCounts } from './plan.ts'
import type { RequestKind } from './service-round.ts'

export interface Figures {
  service: ServiceFigures
  /** What the embedded database itself takes; undefined on PostgreSQL. */
  embeddedDatabase?: Record<keyof EmbeddedSamples, Timing> | undefined
  peers: Partial<Record<PeerName, PeerFigures>>
}

/** All tables of a run. */
export function report(figures: Figures): string {
  return [
    section('One request at a time, ms', requests(figures.service)),
    section('Everything but the encoder, ms', overhead(figures)),
    section('Back to back, medium texts', backToBack(figures.service)),
    section('Start, batches, memory', footprint(figures.service)),
    ...(Object.keys(figures.peers).length === 0
      ? []
      : [
          section(
            'Against Python in process (ratio: peer / service, above 1 the service is faster)',
            peers(figures),
          ),
        ]),
  ].join('\n\n')
}

const section = (title: string, body: string) => `## ${title}\n\n${body}`

const timingCells = ({ p50, p99, best, samples }: Timing) => [
  showSpread(p50),
  digits(p99),
  digits(best),
  String(samples),
]

const kinds: Record<RequestKind, { fresh: string; repeated: string }> = {
  queries: { fresh: 'retrieve, new query', repeated: 'retrieve, repeated query' },
  stores: { fresh: 'store, new text', repeated: 'store, repeated text' },
}

const kindNames = Object.keys(kinds) as RequestKind[]

function requests({ single }: ServiceFigures): string {
  const rows = lengths.flatMap((length) => [
    ...kindNames.flatMap((kind) => {
      const { fresh, repeated, encoder } = single[kind][length]
      const share = `${Math.round((100 * encoder.p50.median) / fresh.p50.median)} %`
      return [
        [kinds[kind].fresh, length, ...timingCells(fresh), share],
        [kinds[kind].repeated, length, ...timingCells(repeated), ''],
      ]
    }),
    ['encoder alone', length, ...timingCells(single.queries[length].encoder), ''],
  ])
  return table(['request', 'text', 'p50 (min to max)', 'p99', 'best', 'n', 'encoder'], rows)
}

/** From the bare server upwards; each row contains the ones above it. */
function overhead({ service, embeddedDatabase }: Figures): string {
  const { floor, single } = service
  const rows = [
    ['floor: bare node:http, answer of retrieve', ...timingCells(floor.bareRetrieve)],
    ['floor: bare node:http, answer of store', ...timingCells(floor.bareStore)],
    ['GET /healthz: the HTTP layer', ...timingCells(floor.health)],
    ['GET /v1/memory/text/stats: + key and database', ...timingCells(floor.stats)],
    ...kindNames.flatMap((kind) =>
      lengths.flatMap((length) => [
        [`${kinds[kind].repeated}, ${length}`, ...timingCells(single[kind][length].repeated)],
        [
          `${kinds[kind].fresh} less the encoder, ${length}`,
          ...timingCells(single[kind][length].beyondEncoder),
        ],
      ]),
    ),
    ...(embeddedDatabase === undefined
      ? []
      : [
          ['embedded database alone: select 1', ...timingCells(embeddedDatabase.select)],
          ['embedded database alone: count and insert a row', ...timingCells(embeddedDatabase.insert)],
          ['the same, committed to disk', ...timingCells(embeddedDatabase.durableInsert)],
        ]),
  ]
  const byMetrics = lengths.map((length) => {
    const { requestMs, encodeMs, restMs } = service.byMetrics[length]
    return [length, showSpread(requestMs), showSpread(encodeMs), showSpread(restMs)]
  })
  return [
    table(['', 'p50 (min to max)', 'p99', 'best', 'n'], rows),
    "New queries by the service's own count of encoding time, means in ms:",
    table(['text', 'request', 'encoding', 'the rest'], byMetrics),
  ].join('\n\n')
}

function backToBack({ backToBack: figures }: ServiceFigures): string {
  const rows = kindNames.flatMap((kind) =>
    (['fresh', 'repeated'] as const).flatMap((part) =>
      connectionCounts.map((count) => {
        const load = figures[kind][count][part]
        const { perSecond, processorMs } = load
        return [
          kinds[kind][part],
          String(count),
          showSpread(perSecond),
          showSpread(processorMs),
          ...timingCells(load),
        ]
      }),
    ),
  )
  const header = [
    'request',
    'connections',
    'requests/s',
    'CPU ms each',
    'p50 (min to max)',
    'p99',
    'best',
    'n',
  ]
  return table(header, rows)
}

function footprint({ startMs, batchTextsPerSecond, memoryMb }: ServiceFigures): string {
  return table(
    ['', 'median (min to max)'],
    [
      ['start to ready, new data directory, ms', showSpread(startMs.newDirectory)],
      ['start to ready, existing data directory, ms', showSpread(startMs.existingDirectory)],
      ['first retrieve after that, ms', showSpread(startMs.firstAnswer)],
      ...lengths.map((length) => [
        `batch-store, texts/s, ${length}`,
        showSpread(batchTextsPerSecond[length]),
      ]),
      ['resident memory at rest, MB', showSpread(memoryMb.atRest)],
      ['most under load, MB', showSpread(memoryMb.underLoad)],
      ['most since the start, MB', showSpread(memoryMb.peak)],
    ],
  )
}

function peers({ service, peers }: Figures): string {
  const names = Object.keys(peers) as PeerName[]
  const { single, startMs, memoryMb, batchTextsPerSecond } = service
  const perLength = (
    name: string,
    ours: (length: Length) => Spread,
    theirs: (peer: PeerFigures, length: Length) => Spread,
    slower: boolean,
  ) =>
    lengths.map((length) => row(`${name}, ${length}`, ours(length), (peer) => theirs(peer, length), slower))
  const row = (name: string, ours: Spread, theirs: (peer: PeerFigures) => Spread, more = true) => [
    name,
    digits(ours.median),
    ...names.flatMap((peer) => {
      const value = theirs(peers[peer] as PeerFigures).median
      return [digits(value), `${digits(more ? value / ours.median : ours.median / value)}x`]
    }),
  ]
  const p99 = ({ p99: value }: Timing): Spread => ({ min: value, median: value, max: value })
  const rows = [
    ...perLength(
      'search, new query, p50 ms',
      (l) => single.queries[l].fresh.p50,
      (p, l) => p.search[l].p50,
      true,
    ),
    ...perLength(
      'search, new query, p99 ms',
      (l) => p99(single.queries[l].fresh),
      (p, l) => p99(p.search[l]),
      true,
    ),
    ...perLength(
      'search, repeated query, p50 ms',
      (l) => single.queries[l].repeated.p50,
      (p, l) => p.search[l].p50,
      true,
    ),
    ...perLength(
      'add one, p50 ms',
      (l) => single.stores[l].fresh.p50,
      (p, l) => p.add[l].p50,
      true,
    ),
    ...perLength(
      'batches, texts/s',
      (l) => batchTextsPerSecond[l],
      (p, l) => p.batchTextsPerSecond[l],
      false,
    ),
    row(
      'start to first answer, ms',
      addSpread(startMs.existingDirectory, startMs.firstAnswer),
      (p) => p.firstAnswerMs,
    ),
    row('resident memory at rest, MB', memoryMb.atRest, (p) => p.memoryMb.atRest),
    row('resident memory in use, MB', memoryMb.underLoad, (p) => p.memoryMb.afterUse),
  ]
  return table(['', 'service', ...names.flatMap((name) => [peerNames[name], 'ratio'])], rows)
}

const addSpread = (a: Spread, b: Spread): Spread => ({
  min: a.min + b.min,
  median: a.median + b.median,
  max: a.max + b.max,
})
