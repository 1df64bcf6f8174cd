import { table } from '../../bench/support/results.ts'
import { digits, type Spread } from '../../bench/support/statistics.ts'
import { median, percent, provenance, readResult, score, times, whole } from './results.ts'

/** A table of `docs/benchmarks.md`, which stands between the marks `figures: NAME`. */
export type Figures = () => string

type Summary = { p50: Spread; p99: number }
type Sizes<T> = { short: T; medium: T; long: T }
type Evidence = { all: { questions: number; recallAt5: number; recallAt10: number; mrr: number } }

interface Addressing {
  texts: number
  storesPerSecond: Record<string, number>
  patchMs: number
  versionBytes: number
  p50: Record<string, number>
}

interface Contexts {
  evidence: { budget: number; share: number; standing: number; found: number; recall: number }[]
  standingShare: number
  questions: number
  texts: number
  p50: Record<string, number>
  patterns: number
  standingMs: Record<string, number>
}

/** A table of one result, and where it comes from. */
function of<T>(name: string, show: (result: T) => string | string[]): Figures {
  return () => {
    const result = readResult<T>(name)
    return [show(result), provenance(name, result)].flat().join('\n\n')
  }
}

const sizes = <T>(figures: Sizes<T>, show: (figure: T) => string) =>
  [figures.short, figures.medium, figures.long].map(show)

interface Frames {
  perSecond: number
  longestMs: number
}

interface ConsoleFigures {
  patterns: number
  mapped: number
  first: { interactiveMs: Spread; mainScriptKb: number; firstPageKb: number }
  memories: { openMs: Spread; nextMs: Spread; longestTaskMs: Record<string, number> }
  map: {
    firstMs: number
    againMs: number
    panning: Frames
    zooming: Frames
    longestTaskMs: Record<string, number>
  }
  newcomer: { clicks: number; storedMs: Spread; recalledMs: Spread }
}

function consoleTables({ patterns, mapped, first, memories, map, newcomer }: ConsoleFigures): string {
  const tasks = (longest: Record<string, number>) =>
    Object.entries(longest).map(([when, ms]) => [
      `longest task while ${when}, ms`,
      ms === 0 ? 'none over 50' : digits(ms),
    ])
  const inSpace = (count: number, what: string) => `${what}, of ${whole(count)} memories`
  return table(
    ['', ''],
    [
      ['first page of a new browser, until it answers, ms', median(first.interactiveMs)],
      ['its main script, KB of gzip', digits(first.mainScriptKb)],
      ['all that it loads, KB of gzip', digits(first.firstPageKb)],
      [inSpace(patterns, 'first rows of the list, ms'), median(memories.openMs)],
      ['next page of it, ms', median(memories.nextMs)],
      ...tasks(memories.longestTaskMs),
      [inSpace(mapped, 'the map, ms until it is drawn'), digits(map.firstMs)],
      ['the same once more, ms', digits(map.againMs)],
      ['frames a second while it is dragged', digits(map.panning.perSecond)],
      ['while it is zoomed', digits(map.zooming.perSecond)],
      ...tasks(map.longestTaskMs),
      ['clicks from the start to the first memory that was recalled', String(newcomer.clicks)],
      ['seconds until it is stored', digits(newcomer.storedMs.median / 1_000)],
      ['until it is recalled', digits(newcomer.recalledMs.median / 1_000)],
    ],
  )
}

type RetrievalMeasures = Record<'ndcg' | 'at5' | 'at10' | 'first', number>
type RetrievalRow = { set: string; order: string; queries: number } & Record<
  'recall' | 'retrieve' | 'bm25' | 'rankFusion',
  RetrievalMeasures
> & { againstBest: Record<'mean' | 'low' | 'high', number> }

interface Geometry {
  name: string
  retrieve: number
  recall: number
  recallGain: Record<'mean' | 'low' | 'high', number>
  better: string[]
  worse: string[]
  spearman: number
}

const signed = (value: number) => `${value < 0 ? '' : '+'}${score(value)}`

interface LeftOut {
  family: string
  chosen: string
  ndcg: number
  asItIs: number
}

function retrieval(rows: readonly RetrievalRow[]): string {
  return table(
    ['set', 'stored', 'recall', '@5', '@10', 'first', 'retrieve', 'BM25', 'rank fusion', 'recall - best'],
    rows.map(({ set, order, recall, retrieve, bm25, rankFusion, againstBest }) => [
      set,
      order,
      ...[recall.ndcg, recall.at5, recall.at10, recall.first].map(score),
      ...[retrieve.ndcg, bm25.ndcg, rankFusion.ndcg].map(score),
      `${signed(againstBest.mean)} (${signed(againstBest.low)} to ${signed(againstBest.high)})`,
    ]),
  )
}

interface Text {
  service: {
    single: Record<
      'queries' | 'stores',
      Sizes<Record<'fresh' | 'repeated' | 'encoder' | 'beyondEncoder', Summary>>
    >
    batchTextsPerSecond: Sizes<Spread>
    startMs: { newDirectory: Spread; existingDirectory: Spread }
    memoryMb: { atRest: Spread; underLoad: Spread; peak: Spread }
    floor: { health: Summary }
    backToBack: { queries: Record<'1' | '4', { repeated: { perSecond: Spread } }> }
  }
  peers?: Record<
    string,
    {
      add: Sizes<Summary>
      search: Sizes<Summary>
      batchTextsPerSecond: Sizes<Spread>
      firstAnswerMs: Spread
      memoryMb: { afterUse: Spread }
    }
  >
}

function text({ service, peers = {} }: Text): string[] {
  const { queries, stores } = service.single
  const p50 = ({ p50 }: Summary) => median(p50)
  const rows = [
    ['store a new text', ...sizes(stores, ({ fresh }) => p50(fresh))],
    ['store a repeated text', ...sizes(stores, ({ repeated }) => p50(repeated))],
    ['retrieve, new query', ...sizes(queries, ({ fresh }) => p50(fresh))],
    ['of that the encoder', ...sizes(queries, ({ encoder }) => p50(encoder))],
    ['everything but the encoder', ...sizes(queries, ({ beyondEncoder }) => p50(beyondEncoder))],
    ['retrieve, repeated query', ...sizes(queries, ({ repeated }) => p50(repeated))],
  ]
  for (const [name, { add, search }] of Object.entries(peers)) {
    rows.push(
      [`sentence-transformers + ${name}: add`, ...sizes(add, p50)],
      [`sentence-transformers + ${name}: search`, ...sizes(search, p50)],
    )
  }
  const batches = Object.entries(peers).map(([name, { batchTextsPerSecond }]) => [
    `sentence-transformers + ${name}`,
    ...sizes(batchTextsPerSecond, median),
  ])
  const { backToBack, startMs, memoryMb, floor } = service
  return [
    table(['p50 ms', 'short', 'medium', 'long'], rows),
    table(
      ['texts a second in a batch', 'short', 'medium', 'long'],
      [['service', ...sizes(service.batchTextsPerSecond, median)], ...batches],
    ),
    table(
      ['', ''],
      [
        [
          'repeated queries a second, back to back, 1 connection',
          median(backToBack.queries[1].repeated.perSecond),
        ],
        ['the same, 4 connections', median(backToBack.queries[4].repeated.perSecond)],
        ['`/healthz`, which is the HTTP layer alone, ms', median(floor.health.p50)],
        ['start until ready on a new data directory, ms', median(startMs.newDirectory)],
        ['on an existing one, ms', median(startMs.existingDirectory)],
        ['memory at rest, MB', median(memoryMb.atRest)],
        ['under load, MB', median(memoryMb.underLoad)],
        ['for a moment at the start, MB', median(memoryMb.peak)],
        ...Object.entries(peers).flatMap(([name, { firstAnswerMs, memoryMb }]) => [
          [`sentence-transformers + ${name}: start until the first answer, ms`, median(firstAnswerMs)],
          [`after use, MB`, median(memoryMb.afterUse)],
        ]),
      ],
    ),
  ]
}

interface Server {
  server: string
  rows: number
  storedPerSecond: number
  singleStoreMs: number
  recall: number
  memoryMb: number
  query: Record<'1' | '16', { p50: Spread; p99: Spread; perSecond: Spread }>
  together?: { batchQueryMs: Spread; batchRatio: number }
}

function vectors({ figures, floors }: { figures: Server[]; floors: Server[] }): string[] {
  const rows = [...figures, ...floors].map((one) => [
    one.server,
    one.rows === 0 ? '' : whole(one.rows),
    ...(one.rows === 0 ? ['', ''] : [whole(one.storedPerSecond), digits(one.singleStoreMs)]),
    median(one.query[1].p50),
    median(one.query[1].p99),
    whole(one.query[16].perSecond.median),
    ...(one.rows === 0 ? ['', ''] : [score(one.recall), whole(one.memoryMb)]),
  ])
  const ratios = figures
    .filter(({ server }) => server.startsWith('service'))
    .map((own) => {
      const name = own.server.replace('service', 'Chroma')
      const other = figures.find(({ server, rows }) => server === name && rows === own.rows)
      if (other === undefined) return []
      return [
        own.server.replace('service, ', ''),
        whole(own.rows),
        times(own.storedPerSecond / other.storedPerSecond),
        times(other.singleStoreMs / own.singleStoreMs),
        times(other.query[1].p50.median / own.query[1].p50.median),
        times(own.query[16].perSecond.median / other.query[16].perSecond.median),
        ...[own, other].map(({ together }) => times(together?.batchRatio ?? Number.NaN)),
      ]
    })
  return [
    table(
      [
        'server, value',
        'patterns',
        'stored/s',
        'one store ms',
        'query p50 ms',
        'p99',
        'queries/s, 16',
        'recall@10',
        'MB',
      ],
      rows,
    ),
    table(
      [
        'as many times as fast as Chroma',
        'patterns',
        'batch stores',
        'single stores',
        'query p50',
        'queries/s, 16',
        'one of 64 queries together, times as fast as alone',
        'the same, Chroma',
      ],
      ratios,
    ),
  ]
}

const evidence = (figures: Record<string, Evidence>, first: string) =>
  table(
    [first, 'questions', 'recall@5', 'recall@10', 'MRR'],
    Object.entries(figures).map(([name, { all }]) => [
      name,
      String(all.questions),
      all.recallAt5.toFixed(1),
      all.recallAt10.toFixed(1),
      score(all.mrr),
    ]),
  )

interface Index {
  figures: {
    data: string
    patterns: number
    index: string
    setting: string
    recall: number
    p50: Spread
    buildMs: number
    ownBytesPerPattern?: number
    residentBytesPerPattern: number
  }[]
  ratios: { data: string; patterns: number; other: string; own: string; ratio: number; recall: number }[]
  startUp: Record<
    'fromDatabase' | 'fromSnapshot',
    Record<'readyMs' | 'firstSearchMs' | 'secondSearchMs', Spread>
  >
}

/** What others' indexes are compared in; the file has more. */
const comparedIndexes = [
  ...['service, hot', 'service, warm', 'service, cold'],
  ...['hnswlib', 'usearch', 'faiss HNSW', 'faiss RaBitQ fast scan', 'faiss flat'],
]

function index({ figures, ratios, startUp }: Index): string[] {
  const shown = figures.filter(({ index }) => comparedIndexes.includes(index.trim()))
  const beside = ratios.filter(
    ({ own, other }) => own.startsWith('service, ') && comparedIndexes.includes(other),
  )
  return [
    table(
      ['data', 'patterns', 'index', 'setting', 'recall@10', 'p50 ms', 'build s', 'bytes a pattern'],
      shown.map((one) => [
        one.data,
        whole(one.patterns),
        one.index,
        one.setting,
        score(one.recall),
        median(one.p50),
        digits(one.buildMs / 1_000),
        whole(one.ownBytesPerPattern ?? one.residentBytesPerPattern),
      ]),
    ),
    table(
      ['data', 'patterns', 'what', 'beside', 'times as fast', 'at recall'],
      beside.map((one) => [
        one.data,
        whole(one.patterns),
        one.own,
        one.other,
        times(one.ratio),
        score(one.recall),
      ]),
    ),
    table(
      ['restart with 100,000 patterns', 'ready after ms', 'first search ms', 'second ms'],
      [
        ['from the snapshot', startUp.fromSnapshot],
        ['from the database', startUp.fromDatabase],
      ].map(([name, figure]) => {
        const { readyMs, firstSearchMs, secondSearchMs } = figure as Index['startUp']['fromDatabase']
        return [name as string, ...[readyMs, firstSearchMs, secondSearchMs].map(median)]
      }),
    ),
  ]
}

interface Kernels {
  figures: { name: string; javascript: Spread; native: Spread; ratio: number; ofLimit?: number }[]
  rescored: { rows: number; name: string; recall: number; ms: Spread; ratio: number }[]
  twoThreads: { rows: number; one: Spread; two: Spread; ratio: number }[]
  answerTexts: { name: string; spliced: Spread; stringified: Spread; ratio: number }[]
}

function kernels({ figures, rescored, twoThreads, answerTexts }: Kernels): string[] {
  return [
    table(
      ['', 'JavaScript ms', 'native ms', 'times as fast', "of memory's speed"],
      [
        ...figures.map((one) => [
          one.name,
          ...[one.javascript, one.native].map(median),
          times(one.ratio),
          one.ofLimit === undefined ? '' : percent(one.ofLimit),
        ]),
        ...answerTexts.map((one) => [
          one.name,
          ...[one.stringified, one.spliced].map(median),
          times(one.ratio),
          '',
        ]),
      ],
    ),
    table(
      ['nearest 10, rescored', 'rows', 'recall@10', 'ms', 'against float32'],
      rescored.map((one) => [one.name, whole(one.rows), score(one.recall), median(one.ms), times(one.ratio)]),
    ),
    table(
      ['one search by two threads, rows', 'one ms', 'two ms', 'times as fast'],
      twoThreads.map((one) => [whole(one.rows), ...[one.one, one.two].map(median), times(one.ratio)]),
    ),
  ]
}

interface Load {
  checkout: string
  load: string
  p50: number
  p95: number
  p99: number
  p999: number
  max: number
  memoryMb: number
}

interface AnotherEncoder {
  texts: number
  seconds: { stored: number; alone: number; besideOther: number }
  queries: Record<'alone' | 'meanwhile', { p50: number; p95: number }>
}

interface Restart {
  patterns: number
  dimensions: number
  database: string
  restarts: {
    cold: boolean
    readyMs: number
    firstMs: number
    residentMb: number
    figures: { fromS: number; queries: number; p50: number; p95: number; max: number }[]
  }[]
}
interface TimeGain {
  gain: number
  kind: string
  questions: number
  recallAt5: number
  recallAt10: number
  mrr: number
}
interface FilterCost {
  server: string
  patterns: number
  firstFilterMs: number
  p50: Record<string, number>
}
interface Soak {
  figures: {
    checkout: string
    operations: Record<string, { p50: number; p99: number; max: number; ratio: number }>
    memory: { atS: number; resident: number }[]
  }[]
}

interface Disturbed {
  figures: { checkout: string; load: string; operation: string; p50: number; p95: number; ratio: number }[]
}

interface Flood {
  figures: {
    flood: string
    p50: number
    p95: number
    max: number
    ratio: number
    memory: number
    answered: number
  }[]
}

/** What an organization's requests take beside another's load: the p95, before and now. */
function disturbed({ figures }: Disturbed): string {
  const loads = [...new Set(figures.map(({ load }) => load))]
  const operations = [...new Set(figures.map(({ operation }) => operation))]
  const p95 = (checkout: string, load: string, operation: string) =>
    digits(
      figures.find((one) => one.checkout === checkout && one.load === load && one.operation === operation)
        ?.p95 ?? Number.NaN,
    )
  return table(
    ['p95 ms (before)', ...operations],
    loads.map((load) => [
      load,
      ...operations.map((operation) => `${p95('now', load, operation)} (${p95('base', load, operation)})`),
    ]),
  )
}

interface Shares {
  figures: { kind: string; p50: Spread; busy: Spread; shares: Record<string, Spread> }[]
}

function shares({ figures }: Shares): string {
  const parts = Object.keys(figures[0]?.shares ?? {})
  return table(
    ['µs of the main thread a query', ...figures.map(({ kind }) => `value: ${kind}`)],
    [
      ...parts.map((part) => [
        part,
        ...figures.map(({ shares }) => median(shares[part] ?? { min: 0, median: 0, max: 0 })),
      ]),
      ['together', ...figures.map(({ busy }) => median(busy))],
    ],
  )
}

/** Every table of the page, by what its marks name. */
export const figures: Record<string, Figures> = {
  text: of('text', text),
  'text-postgresql': of('text-postgresql', text),
  vectors: of('vectors', vectors),
  'vectors-postgresql': of('vectors-postgresql', vectors),
  'vector-shares': of('vector-shares', shares),
  'vector-shares-postgresql': of('vector-shares-postgresql', shares),
  recall: of<{ figures: Record<string, Evidence>; afterUse: Record<string, Evidence> }>(
    'recall',
    ({ figures, afterUse }) => [
      evidence(figures, 'each conversation in its space'),
      evidence(afterUse, 'the other half, after use'),
    ],
  ),
  context: of<Contexts>(
    'context',
    ({ evidence, standingShare, questions, texts, p50, patterns, standingMs }) => [
      table(
        ['budget, tokens', 'standing facts may take', 'standing facts', 'found', 'evidence shown %'],
        evidence.map(({ budget, share, standing, found, recall }) => [
          whole(budget),
          share === 0
            ? 'nothing: recall alone'
            : `1/${1 / share}${share === standingShare ? ', as it is' : ''}`,
          ...[standing, found, recall].map((value) => value.toFixed(1)),
        ]),
      ),
      `Means over ${whole(questions)} questions; standing facts and found: lines.`,
      table(
        [`${whole(texts)} texts`, 'p50 ms'],
        Object.entries(p50).map(([name, ms]) => [name, digits(ms)]),
      ),
      table(
        [`standing facts among ${whole(patterns)} patterns`, 'p50 ms'],
        Object.entries(standingMs).map(([name, ms]) => [name, digits(ms)]),
      ),
    ],
  ),
  retrieval: of<{ rows: RetrievalRow[] }>('retrieval', ({ rows }) => retrieval(rows)),
  'retrieval-languages': of<{ rows: RetrievalRow[] }>('retrieval-languages', ({ rows }) => retrieval(rows)),
  fusion: of<{ leftOut: LeftOut[] }>('fusion', ({ leftOut }) =>
    table(
      ['family left out', 'best on all others', 'nDCG@10 there', 'as it is'],
      leftOut.map(({ family, chosen, ndcg, asItIs }) => [family, chosen, score(ndcg), score(asItIs)]),
    ),
  ),
  'encoder-geometry': of<{ rows: Geometry[] }>('encoder-geometry', ({ rows }) =>
    table(
      ['cosines', 'retrieve', 'recall', 'recall gains', 'better on', 'worse on', 'Spearman'],
      rows.map(({ name, retrieve, recall, recallGain: gain, better, worse, spearman }, i) => [
        name,
        ...[retrieve, recall].map(score),
        i === 0 ? '' : `${signed(gain.mean)} (${signed(gain.low)} to ${signed(gain.high)})`,
        better.join(', '),
        worse.join(', '),
        score(spearman),
      ]),
    ),
  ),
  'recall-together': of<{ figures: Record<string, Evidence> }>('recall-together', ({ figures }) =>
    evidence(figures, 'all in one space'),
  ),
  'recall-interleaved': of<{ figures: Record<string, Evidence> }>('recall-interleaved', ({ figures }) =>
    evidence(figures, 'five subjects, stored by turns'),
  ),
  'recall-time': of<{ figures: TimeGain[] }>('recall-time', ({ figures }) =>
    table(
      ['a text of that time gains', 'questions', '', 'recall@5', 'recall@10', 'MRR'],
      figures.map((one) => [
        one.gain === 0 ? 'nothing' : `${one.gain} deviation`,
        one.kind.replace('_', ' '),
        whole(one.questions),
        ...[one.recallAt5, one.recallAt10].map((share) => share.toFixed(1)),
        one.mrr.toFixed(3),
      ]),
    ),
  ),
  'recall-heads': of<{
    beforeUse: Record<string, Evidence>
    afterUse: Record<string, Record<string, Evidence>>
  }>('recall-heads', ({ beforeUse, afterUse }) => [
    evidence(beforeUse, 'before use'),
    evidence(afterUse['asked, with feedback'] ?? {}, 'asked, with feedback'),
  ]),
  'recall-cost': of<{
    figures: ({ texts: number; lexicalMb: number } & Record<
      'retrieveP50' | 'recallP50' | 'added' | 'firstRecallMs' | 'stallMs' | 'residentMb',
      Spread
    > & { filteredP50: Record<string, Spread> })[]
  }>('recall-cost', ({ figures }) =>
    table(
      [
        'texts',
        'retrieve p50 ms',
        'recall p50',
        'recall adds',
        'recall of one user p50',
        'of half',
        'of nothing',
        'first recall ms',
        'longest stall then ms',
        'words MB',
      ],
      figures.map((one) => [
        whole(one.texts),
        ...[one.retrieveP50, one.recallP50, one.added].map(median),
        ...['one user', 'half', 'nothing'].map((name) => median(one.filteredP50[name] as Spread)),
        ...[one.firstRecallMs, one.stallMs].map(median),
        digits(one.lexicalMb),
      ]),
    ),
  ),
  'learning-cost': of<{
    figures: {
      kind: string
      connections: number
      basePerSecond: Spread
      perSecond: Spread
      throughput: Spread
    }[]
  }>('learning-cost', ({ figures }) =>
    table(
      ['', 'connections', 'a second before', 'now', 'of before'],
      figures.map((one) => [
        one.kind,
        String(one.connections),
        ...[one.basePerSecond, one.perSecond].map(median),
        times(one.throughput.median),
      ]),
    ),
  ),
  predict: of<{ hitsAt5: Record<string, { all: Spread; foreseeable: Spread }>; foreseeable: Spread }>(
    'predict',
    ({ hitsAt5 }) =>
      table(
        ['the next access is among five', 'of all', 'of those that can be foreseen'],
        Object.entries(hitsAt5).map(([name, { all, foreseeable }]) => [
          name,
          percent(all.median),
          percent(foreseeable.median),
        ]),
      ),
  ),
  prefetch: of<{
    latency: { database: string; search: string; cold: { p50: number }; warm: { p50: number } }[]
    hits: { budgetMb: number; alone: Spread; prefetching: Spread }[]
    noting: { noteUs: number }
  }>('prefetch', ({ latency, hits, noting }) => [
    table(
      ['database', 'search', 'p50 ms, payloads from the database', 'from memory'],
      latency.map((one) => [one.database, one.search, digits(one.cold.p50), digits(one.warm.p50)]),
    ),
    table(
      ['memory for payloads, MB', 'found there without prefetch', 'with it'],
      hits.map((one) => [String(one.budgetMb), percent(one.alone.median), percent(one.prefetching.median)]),
    ),
    `Recording a prefetch hint takes a request ${digits(noting.noteUs)} µs.`,
  ]),
  routing: of<{
    inUse: Record<string, { queries: number; routed: number; fixed: Record<string, number> }>
  }>('routing', ({ inUse }) => {
    const ways = Object.keys(Object.values(inUse)[0]?.fixed ?? {})
    return table(
      ['loss', 'queries', 'routed', ...ways.map((way) => `always ${way}`)],
      Object.entries(inUse).map(([kind, { queries, routed, fixed }]) => [
        kind,
        whole(queries),
        score(routed),
        ...ways.map((way) => score(fixed[way] ?? Number.NaN)),
      ]),
    )
  }),
  belief: of<{
    figures: Record<
      string,
      { cases: number; macroF1: number; f1: Record<string, number>; calibrationError: number }
    >
  }>('belief', ({ figures }) =>
    table(
      ['', 'queries', 'macro-F1', 'exact match', 'composition', 'novel', 'calibration error'],
      Object.entries(figures).map(([language, { cases, macroF1, f1, calibrationError }]) => [
        language,
        whole(cases),
        score(macroF1),
        ...['exact_match', 'composition', 'novel'].map((name) => score(f1[name] ?? Number.NaN)),
        score(calibrationError),
      ]),
    ),
  ),
  forget: of<{
    paraphrases: { name: string; near: number; kept: number }[]
    contradictions: { name: string; kind: string; pairs: number; found: number; near: number; lost: number }[]
  }>('forget', ({ paraphrases, contradictions }) => [
    table(
      ['other words for the same', 'near enough to go', 'kept', 'share'],
      paraphrases.map(({ name, near, kept }) => [
        name,
        whole(near),
        whole(kept),
        percent(kept / Math.max(1, near)),
      ]),
    ),
    table(
      ['pairs', 'difference', 'pairs', 'found', 'near enough to go', 'of these lost'],
      contradictions.map(({ name, kind, pairs, found, near, lost }) => [
        name,
        kind === 'same' ? 'none: other words' : kind,
        ...[pairs, found, near, lost].map(whole),
      ]),
    ),
  ]),
  conflicts: of<{
    duplicateMin: number
    languages: string[]
    duplicates: Record<'threshold' | 'reported' | 'alike' | 'same' | 'allSame', number>[]
    differences: { reported: number; same: number }
    written: { name: string; difference: string; pairs: number; differing: number }[]
    conversations: { name: string; turns: number; duplicates: number; differences: number }[]
  }>('conflicts', ({ duplicateMin, languages, duplicates, differences, written, conversations }) => [
    table(
      ['near duplicates from', 'reported', 'alike', 'the same', 'of the same found'],
      duplicates.map(({ threshold, reported, alike, same, allSame }) => [
        threshold === duplicateMin ? `${threshold}, as it is` : String(threshold),
        whole(reported),
        ...[alike / reported, same / reported, same / allSame].map(percent),
      ]),
    ),
    table(
      ['differences', 'reported', 'of these the same'],
      [[languages.join(', '), whole(differences.reported), percent(differences.same / differences.reported)]],
    ),
    table(
      ['written pairs', 'difference', 'pairs', 'reported as differing'],
      written.map(({ name, difference, pairs, differing }) => [
        name,
        difference === 'same' ? 'none: other words' : difference,
        ...[pairs, differing].map(whole),
      ]),
    ),
    table(
      ['conversation', 'turns', 'near duplicates', 'differences'],
      conversations.map(({ name, turns, duplicates, differences }) => [
        name,
        ...[turns, duplicates, differences].map(whole),
      ]),
    ),
  ]),
  categories: of<{
    overall: { facts: number; macroF1: number; right: number }
    costUs: number
    byLanguage: { name: string; facts: number; right: number; f1: number }[]
  }>('categories', ({ overall, byLanguage, costUs }) => [
    table(
      ['', 'facts', 'right', 'macro-F1'],
      [
        ['all languages', String(overall.facts), percent(overall.right), score(overall.macroF1)],
        ...byLanguage.map((one) => [one.name, String(one.facts), percent(one.right), score(one.f1)]),
      ],
    ),
    `It takes ${digits(costUs)} µs a text.`,
  ]),
  answers: of<{ figures: { name: string; count: number; brier: number; error: number }[] }>(
    'answers',
    ({ figures }) =>
      table(
        ['confidence', 'answers', 'Brier score', 'calibration error'],
        figures.map((one) => [one.name, whole(one.count), score(one.brier), score(one.error)]),
      ),
  ),
  consolidation: of<{
    figures: {
      patterns: number
      operations: { name: string; ms: Spread; queryMax: number }[]
      memoryPeak: number
      pairsChecked: number
      spuriousAfter: number
    }[]
  }>('consolidation', ({ figures }) => {
    const names = figures[0]?.operations.map(({ name }) => name) ?? []
    return table(
      ['ms (slowest query meanwhile)', ...figures.map(({ patterns }) => `${whole(patterns)} patterns`)],
      [
        ...names.map((name) => [
          name,
          ...figures.map(({ operations }) => {
            const one = operations.find((operation) => operation.name === name)
            return one === undefined ? '' : `${whole(one.ms.median)} (${whole(one.queryMax)})`
          }),
        ]),
        ['pairs that detect-spurious looked at', ...figures.map(({ pairsChecked }) => whole(pairsChecked))],
        ['spurious ones after sleep', ...figures.map(({ spuriousAfter }) => whole(spuriousAfter))],
        ['memory at most, MB', ...figures.map(({ memoryPeak }) => whole(memoryPeak))],
      ],
    )
  }),
  sleep: of<{ figures: Record<string, Evidence>; copiesMerged: Record<string, number> }>(
    'sleep',
    ({ figures, copiesMerged }) => [
      evidence(figures, 'after 30 days'),
      table(
        ['50 copies with', 'merged in a night'],
        Object.entries(copiesMerged).map(([kind, merged]) => [
          kind === 'exact' ? 'nothing changed' : `a ${kind} ${kind === 'number' ? 'added' : 'changed'}`,
          String(merged),
        ]),
      ),
    ],
  ),
  tiers: of<{
    allHotBytes: number
    course: { day: number; hot: number; warm: number; cold: number; rate: number; bytes: number }[]
    recall: { asked: number; others: number }
  }>('tiers', ({ allHotBytes, course, recall }) => [
    table(
      ['day', 'hot', 'warm', 'cold', 'answers from hot', 'MB', 'MB, all hot'],
      course.map((one) => [
        String(one.day),
        ...[one.hot, one.warm, one.cold].map(whole),
        percent(one.rate),
        whole(one.bytes / 2 ** 20),
        whole(allHotBytes / 2 ** 20),
      ]),
    ),
    `recall@10 at the end: ${score(recall.asked)} of queries like those before, ${score(recall.others)} of others.`,
  ]),
  kernels: of('kernels', kernels),
  index: of('index', index),
  authentication: of<{ figures: { database: string; way: string; p50Us: Spread; addedP50Us: Spread }[] }>(
    'authentication',
    ({ figures }) =>
      table(
        ['database', 'who calls', 'p50 µs', 'added'],
        figures.map((one) => [one.database, one.way, median(one.p50Us), median(one.addedP50Us)]),
      ),
  ),
  logins: of<{
    telling: { database: string; request: string; known: number; unknown: number; difference: number }[]
    logins: { database: string; perSecond: Spread; processorMs: Spread }[]
    storms: { database: string; quietP95: Spread; besideP95: Spread; ratio: Spread }[]
  }>('logins', ({ telling, logins, storms }) => [
    table(
      [
        'database',
        'logins a second',
        'of a core, ms each',
        "another's p95 ms alone",
        'beside 200 logins',
        'times',
      ],
      logins.map((one, i) => [
        one.database,
        ...[one.perSecond, one.processorMs].map(median),
        ...[storms[i]?.quietP95, storms[i]?.besideP95].map((figure) => (figure ? median(figure) : '')),
        times(storms[i]?.ratio.median ?? Number.NaN),
      ]),
    ),
    table(
      ['database', 'request', 'median ms, address with an account', 'without', 'difference'],
      telling.map((one) => [
        one.database,
        `\`${one.request}\``,
        ...[one.known, one.unknown].map(digits),
        one.difference.toFixed(2),
      ]),
    ),
  ]),
  queue: of<{
    results: {
      way: string
      figures: Record<'donePerSecond' | 'pickUpP50Ms' | 'pickUpP99Ms' | 'processorMs', Spread>
    }[]
  }>('queue', ({ results }) =>
    table(
      ['', 'done a second', 'begins after, p50 ms', 'p99', 'processor ms'],
      results.map(({ way, figures }) => [
        way,
        ...[figures.donePerSecond, figures.pickUpP50Ms, figures.pickUpP99Ms, figures.processorMs].map(median),
      ]),
    ),
  ),
  'queue-kills': of<{
    results: {
      backend: string
      jobs: number
      kills: number
      lost: number
      twice: number
      begunAgain: number
      seconds: number
      longestPauseMs: number
      longestRecoveryMs: number
    }[]
  }>('queue-kills', ({ results }) =>
    table(
      [
        'backend',
        'jobs',
        'kills',
        'lost',
        'effects twice',
        'begun again',
        'done in s',
        'longest pause s',
        'longest recovery s',
      ],
      results.map((one) => [
        one.backend,
        ...[one.jobs, one.kills, one.lost, one.twice, one.begunAgain].map(whole),
        ...[one.seconds, one.longestPauseMs / 1_000, one.longestRecoveryMs / 1_000].map(digits),
      ]),
    ),
  ),
  webhooks: of<{
    latencies: { what: string; n: number; p50: number; p99: number }[]
    requestsAfterRedirect: number
  }>('webhooks', ({ latencies, requestsAfterRedirect }) => [
    table(
      ['told after', 'samples', 'p50 ms', 'p99'],
      latencies.map((one) => [one.what, String(one.n), digits(one.p50), digits(one.p99)]),
    ),
    `Requests that followed a redirect: ${requestsAfterRedirect}.`,
  ]),
  mcp: of<{ texts: number; ways: Record<string, { p50Ms: Spread; addedMs: Spread }> }>(
    'mcp',
    ({ texts, ways }) => [
      table(
        ['recall by', 'p50 ms', 'above plain HTTP'],
        Object.entries(ways).map(([way, { p50Ms, addedMs }]) => [way, median(p50Ms), median(addedMs)]),
      ),
      `Among ${whole(texts)} texts, one call at a time, with queries that were asked before.`,
    ],
  ),
  console: of<ConsoleFigures>('console', consoleTables),
  map: of<{
    rows: {
      set: string
      points: number
      components: { kept: number; trustworthiness: number }
      map: { kept: number; trustworthiness: number }
    }[]
    many: { points: number; ms: number; processorMs: number }
  }>('map', ({ rows, many }) => [
    table(
      [
        'texts',
        'points',
        'of the ten nearest kept by two components',
        'by the map',
        'trustworthiness of two components',
        'of the map',
      ],
      rows.map(({ set, points, components, map }) => [
        set,
        whole(points),
        ...[components.kept, map.kept].map(percent),
        ...[components.trustworthiness, map.trustworthiness].map(score),
      ]),
    ),
    `Drawing ${whole(many.points)} points takes ${whole(many.processorMs)} ms of processor, without reading and sending them.`,
  ]),
  sdk: of<{
    sizes: Record<string, { minified: number; gzip: number }>
    importMs: Spread
    ways: Record<string, { p50Us: Spread; addedUs: Spread }>
  }>('sdk', ({ sizes, importMs, ways }) => [
    table(
      ['of the client', 'bytes minified', 'gzip'],
      Object.entries(sizes).map(([name, { minified, gzip }]) => [
        name === '*' ? 'all of it' : `\`${name}\``,
        whole(minified),
        whole(gzip),
      ]),
    ),
    table(
      ['a call by', 'p50 µs', 'added'],
      Object.entries(ways).map(([way, { p50Us, addedUs }]) => [way, median(p50Us), median(addedUs)]),
    ),
    `It loads in ${median(importMs)} ms.`,
  ]),
  'python-client': of<
    Record<
      'importMs' | 'importHttpxMs' | 'wheelBytes' | 'clientMs' | 'httpxMs' | 'installS' | 'firstMemoryS',
      number
    >
  >('python-client', (one) => [
    table(
      ['of the client', ''],
      [
        ['importing it', `${digits(one.importMs)} ms, of which httpx ${digits(one.importHttpxMs)}`],
        ['its wheel', `${digits(one.wheelBytes / 1_024)} KiB`],
        [
          'retrieve of one text, p50',
          `${digits(one.clientMs)} ms, by httpx alone ${digits(one.httpxMs)}: ${digits(one.clientMs - one.httpxMs)} ms more`,
        ],
        ['`pip install` of it in an empty environment', `${digits(one.installS)} s`],
        ['a program that stores a memory and recalls it', `${digits(one.firstMemoryS)} s`],
      ],
    ),
  ]),
  tenants: of<{ figures: Load[] }>('tenants', ({ figures }) =>
    table(
      ['searches', '', 'p50 ms', 'p95', 'p99', 'p99.9', 'slowest', 'MB'],
      figures.map((one) => [
        one.load,
        one.checkout === 'base' ? 'before' : 'now',
        ...[one.p50, one.p95, one.p99, one.p999, one.max].map(digits),
        whole(one.memoryMb),
      ]),
    ),
  ),
  'another-encoder': of<AnotherEncoder>('another-encoder', ({ texts, seconds, queries }) => [
    table(
      [`${whole(texts)} texts of a sentence`, 'texts a second'],
      [
        ['stored, 50 a request', whole(texts / seconds.stored)],
        ['embedded anew', whole(texts / seconds.alone)],
        ['embedded anew, while another organization asks for vectors', whole(texts / seconds.besideOther)],
      ],
    ),
    table(
      ['vector queries of the other organization', 'p50 ms', 'p95'],
      [
        ['alone', ...[queries.alone.p50, queries.alone.p95].map(digits)],
        ['meanwhile', ...[queries.meanwhile.p50, queries.meanwhile.p95].map(digits)],
      ],
    ),
  ]),
  restart: of<Restart>('restart', ({ patterns, dimensions, database, restarts }) =>
    restarts.flatMap(({ cold, readyMs, firstMs, residentMb, figures }) => [
      `${whole(patterns)} patterns of ${dimensions} numbers, ${database}, ${cold ? 'nothing of the files in memory' : 'files in memory'}: ready after ${digits(readyMs / 1_000)} s, the first query ${digits(firstMs)} ms, ${whole(residentMb)} MB.`,
      table(
        ['seconds after the start', 'queries', 'p50 ms', 'p95', 'slowest'],
        figures.map(({ fromS, queries, p50, p95, max }) => [
          `from ${fromS}`,
          whole(queries),
          ...[p50, p95, max].map(digits),
        ]),
      ),
    ]),
  ),
  filters: of<{ figures: FilterCost[] }>('filters', ({ figures }) =>
    table(
      [
        'server',
        'patterns',
        ...Object.keys(figures[0]?.p50 ?? {}).map((name) => `${name}, p50 ms`),
        'first filter ms',
      ],
      figures.map(({ server, patterns, p50, firstFilterMs }) => [
        server,
        whole(patterns),
        ...Object.values(p50).map(digits),
        digits(firstFilterMs),
      ]),
    ),
  ),
  addressing: of<Addressing>('addressing', ({ texts, storesPerSecond, patchMs, versionBytes, p50 }) => [
    table(
      ['vectors stored', 'a second', 'of plain'],
      Object.entries(storesPerSecond).map(([name, rate]) => [
        name,
        whole(rate),
        times(rate / (Object.values(storesPerSecond)[0] ?? Number.NaN)),
      ]),
    ),
    `Among ${whole(texts)} texts:`,
    table(
      ['request', 'p50 ms'],
      Object.entries({ 'a change of metadata': patchMs, ...p50 }).map(([name, ms]) => [name, digits(ms)]),
    ),
    `A version that is kept takes ${whole(versionBytes)} bytes on the disk, its vector among them.`,
  ]),
  soak: of<Soak>('soak', ({ figures }) =>
    table(
      ['operation', '', 'p50 ms', 'p99', 'slowest', 'p99 / p50'],
      figures.flatMap(({ checkout, operations }) =>
        Object.entries(operations).map(([name, one]) => [
          name,
          checkout === 'base' ? 'before' : 'now',
          ...[one.p50, one.p99, one.max, one.ratio].map(digits),
        ]),
      ),
    ),
  ),
  floods: of<Flood>('floods', ({ figures }) =>
    table(
      ['meanwhile', 'p50 ms', 'p95', 'slowest', 'p95, times alone', 'MB at most', 'answered to the flood'],
      figures.map((one) => [
        one.flood,
        ...[one.p50, one.p95, one.max, one.ratio].map(digits),
        whole(one.memory),
        whole(one.answered),
      ]),
    ),
  ),
  'noisy-neighbour': of<Disturbed>('noisy-neighbour', disturbed),
  'noisy-neighbour-postgresql': of<Disturbed>('noisy-neighbour-postgresql', disturbed),
}

/** The README's few figures, out of the same results. */
export function readmeFigures(): string {
  const { service } = readResult<Text>('text')
  const { queries, stores } = service.single
  const vector = readResult<{ figures: Server[] }>('vectors').figures
  const [own, chroma] = ['service, number', 'Chroma, number'].map((name) =>
    vector.find(({ server, rows }) => server === name && rows === 100_000),
  ) as [Server, Server]
  const recall = readResult<{ figures: Record<string, Evidence> }>('recall').figures
  const at10 = (name: string) => recall[name]?.all.recallAt10.toFixed(1) ?? ''
  const tenants = readResult<{ organizations: number; figures: Load[] }>('tenants')
  const many = tenants.figures.find(({ checkout, load }) => checkout === 'this' && load === 'over all')
  const kills = readResult<{ results: { kills: number; jobs: number; lost: number; twice: number }[] }>(
    'queue-kills',
  )
  const sum = (of: (one: (typeof kills.results)[number]) => number) =>
    kills.results.reduce((all, one) => all + of(one), 0)
  return table(
    ['', ''],
    [
      ['a short text stored, on disk when answered, p50', `${median(stores.short.fresh.p50)} ms`],
      [
        'found again by a new query, p50 (by a repeated one)',
        `${median(queries.short.fresh.p50)} ms (${median(queries.short.repeated.p50)} ms)`,
      ],
      [
        'vector query among 100,000, p50, recall@10 (Chroma in the same run)',
        `${median(own.query[1].p50)} ms, ${score(own.recall)} (${median(chroma.query[1].p50)} ms, ${score(chroma.recall)})`,
      ],
      [
        'evidence found in long conversations, recall@10 (BM25; the embedding alone)',
        `${at10('text/recall')} % (${at10('BM25')} %; ${at10('text/retrieve')} %)`,
      ],
      [
        `searches over ${whole(tenants.organizations)} organizations, p50 and p99`,
        `${digits(many?.p50 ?? Number.NaN)} and ${digits(many?.p99 ?? Number.NaN)} ms`,
      ],
      [
        `${whole(sum(({ jobs }) => jobs))} background jobs under ${whole(sum(({ kills }) => kills))} kills of their worker`,
        `${sum(({ lost }) => lost)} lost, ${sum(({ twice }) => twice)} done twice`,
      ],
    ],
  )
}
