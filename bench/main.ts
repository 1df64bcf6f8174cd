/**
 * Runs one bench by its name.
 *
 *   npm run bench -- NAME [options of the bench]
 *   npm run bench -- NAME --help
 *   npm run bench -- --list
 */
import { fileURLToPath } from 'node:url'

/** What each bench measures, about how long it takes with its defaults on two idle cores, and its file here. */
const benches: Record<string, { measures: string; takes: string; file: string }> = {
  recall: {
    measures: 'how many of the turns that answer a question are found, before and after use',
    takes: 'half an hour',
    file: 'recall.ts',
  },
  context: {
    measures:
      'what contexts hold of the turns that answer a question within budgets of tokens; what a call takes',
    takes: '10 minutes',
    file: 'context.ts',
  },
  retrieval: {
    measures:
      'what recall finds on sets of many kinds and languages, beside retrieve, BM25 and rank fusion; --fit',
    takes: 'half an hour; 5 minutes with kept embeddings',
    file: 'retrieval.ts',
  },
  'recall-time': {
    measures: 'what recall gains from the time that a question names',
    takes: '5 minutes; one with kept embeddings',
    file: 'recall-time.ts',
  },
  ablation: { measures: 'what each head of recall earns', takes: 'half an hour', file: 'ablation.ts' },
  answers: {
    measures: 'how well the confidence of explanations of questions is calibrated',
    takes: '5 minutes',
    file: 'answers.ts',
  },
  belief: {
    measures: 'how well it is told whether a statement is known, put together of known ones, or new',
    takes: 'minutes; a minute with kept embeddings',
    file: 'belief.ts',
  },
  routing: {
    measures: 'what routing by expected free energy loses, beside taking one pathway always',
    takes: 'minutes; a minute with kept embeddings',
    file: 'routing/evaluate.ts',
  },
  'routing-fit': {
    measures: "nothing: fits the temperatures of routing's pathways",
    takes: 'minutes; a minute with kept embeddings',
    file: 'routing/fit.ts',
  },
  index: {
    measures: 'the vector index beside hnswlib, usearch and faiss and beside scans by the kernels; restarts',
    takes: '10 minutes; hours with --large',
    file: 'index.ts',
  },
  kernels: {
    measures:
      'native kernels beside JavaScript and the speed of memory; searches of fewer bits and by two threads',
    takes: '10 minutes',
    file: 'kernels.ts',
  },
  text: {
    measures: 'store and retrieve of texts end to end, batches, start, memory, beside Python',
    takes: '20 minutes; 2 with --quick',
    file: 'text.ts',
  },
  filters: {
    measures: 'vector queries under filters beside none, and beside Chroma',
    takes: '5 minutes',
    file: 'filters.ts',
  },
  addressing: {
    measures: 'own ids beside plain stores, changes and versions, searches of the past, recall under filters',
    takes: '3 minutes',
    file: 'addressing.ts',
  },
  vectors: {
    measures: "batches stored and vector queries answered over HTTP, beside Chroma's server",
    takes: '15 minutes',
    file: 'vectors.ts',
  },
  restart: {
    measures: 'vector queries among a million patterns, from the moment that the service has started again',
    takes: '4 minutes',
    file: 'restart.ts',
  },
  'another-encoder': {
    measures: 'texts embedded anew a second after a change of the encoder, beside storing them',
    takes: '3 minutes',
    file: 'another-encoder.ts',
  },
  'vector-shares': {
    measures: "where the service's time for a vector query goes",
    takes: '2 minutes',
    file: 'vector-shares.ts',
  },
  tenants: {
    measures: 'searches that are spread over many organizations, up to the slowest of a thousand',
    takes: '3 minutes',
    file: 'tenants.ts',
  },
  soak: {
    measures: 'a mixed load of 20 organizations: times by operation, and memory by what holds it',
    takes: '2 minutes',
    file: 'soak.ts',
  },
  'recall-cost': {
    measures: 'what recall costs beside retrieve, the first recall after a start, memory of the words',
    takes: 'half an hour',
    file: 'recall-cost.ts',
  },
  'learning-cost': {
    measures: 'what learning from use costs searches and stores, beside another checkout',
    takes: '10 minutes',
    file: 'learning-cost.ts',
  },
  predict: {
    measures: 'how often the next access is among five predictions',
    takes: '10 minutes',
    file: 'predict.ts',
  },
  prefetch: {
    measures:
      'searches with their payloads in memory beside without, and how often replayed routines find them there',
    takes: '5 minutes',
    file: 'prefetch.ts',
  },
  auth: {
    measures: 'what it costs to know who calls, by API key and by access token',
    takes: '3 minutes',
    file: 'authentication.ts',
  },
  logins: {
    measures:
      'what signing in costs, what the times of answers tell about accounts, what many logins do to others',
    takes: '5 minutes',
    file: 'logins.ts',
  },
  queue: {
    measures: 'jobs a second and how soon they begin, in the embedded database, PostgreSQL and Redis',
    takes: '5 minutes',
    file: 'queue.ts',
  },
  'queue-kills': {
    measures:
      'jobs lost and effects twice while the worker is killed again and again, and how soon work goes on',
    takes: '7 minutes',
    file: 'queue-kills.ts',
  },
  'noisy-neighbour': {
    measures: "what one organization that asks for much does to another's searches, stores and lists",
    takes: '5 minutes',
    file: 'noisy-neighbour.ts',
  },
  floods: {
    measures:
      'what floods of requests, and clients that do not read their answers, do to others and to memory',
    takes: '5 minutes',
    file: 'floods.ts',
  },
  webhooks: {
    measures: 'how soon receivers are told, and what others that fail, hang or redirect change about that',
    takes: '5 minutes',
    file: 'webhooks.ts',
  },
  mcp: {
    measures: 'what recall costs by the MCP server, beside the same over plain HTTP',
    takes: 'a minute',
    file: 'mcp.ts',
  },
  console: {
    measures:
      'the console in a browser: its first page, the list of 100,000 memories, the map, the first memory',
    takes: '6 minutes',
    file: 'console.ts',
  },
  map: {
    measures: 'what a map keeps of who is near whom, beside two principal components, and what it takes',
    takes: '5 minutes; one with kept embeddings',
    file: 'map.ts',
  },
  sdk: {
    measures: 'what the TypeScript client costs: bytes in a bundle, time to load, time a call above fetch',
    takes: 'a minute',
    file: 'sdk.ts',
  },
  'python-client': {
    measures:
      'what the Python client costs: time to import, a wheel, a call above httpx, and to start with it',
    takes: 'a minute',
    file: 'python-client.ts',
  },
  consolidation: {
    measures: 'sleep, explore and detect-spurious: time, memory, searches meanwhile, spurious attractors',
    takes: '10 minutes',
    file: 'consolidation.ts',
  },
  sleep: {
    measures: 'recall after a month with nightly sleep and without, and which copies of a text sleep merges',
    takes: 'half an hour',
    file: 'sleep.ts',
  },
  tiers: {
    measures: 'memory with tiers against all hot, how often answers are hot, and their recall',
    takes: '15 minutes',
    file: 'tiers.ts',
  },
  forget: {
    measures: 'what forgetting by a query keeps: of other words for the same, and of contradictions',
    takes: '5 minutes',
    file: 'forget.ts',
  },
  conflicts: {
    measures:
      'which pairs of texts sleep reports as near duplicates and as differing, and how many of these are',
    takes: '10 minutes',
    file: 'conflicts.ts',
  },
  categories: {
    measures: 'how well the categories of facts are told, and what that costs a text',
    takes: 'a minute',
    file: 'categories.ts',
  },
  'categories-fit': {
    measures: 'nothing: fits the classifier of categories and writes its coefficients',
    takes: 'a minute',
    file: 'categories/fit.ts',
  },
  encoder: {
    measures: "the encoder's tokenizer and inference by lengths of texts, start and memory",
    takes: 'a minute',
    file: 'encoder/encode.ts',
  },
  similarity: {
    measures:
      'how well cosines agree with people on pairs of sentences, also in a script unknown to the model',
    takes: 'minutes',
    file: 'encoder/similarity.ts',
  },
  'encoder-geometry': {
    measures:
      "what recall and retrieve find by the encoder's output, by what its head is given, and by both; E5's prefixes",
    takes: '15 minutes; 2 with kept embeddings',
    file: 'encoder/geometry.ts',
  },
}

const usage = `npm run bench -- NAME [options]   runs a bench
npm run bench -- NAME --help      says what it measures and lists its options
npm run bench -- --list           lists the benches`

const [name = '--help', ...args] = process.argv.slice(2)
if (name === '--list') console.log(list())
else if (name === '--help' || name === '-h') console.log(usage)
else if (!Object.hasOwn(benches, name)) {
  console.error(`There is no bench "${name}" (--list names them)`)
  process.exitCode = 2
} else {
  const path = fileURLToPath(new URL((benches[name] as { file: string }).file, import.meta.url))
  // A bench reads its options, and its description for --help, as if it had been started itself.
  process.argv = [process.argv[0] as string, path, ...args]
  await import(path)
}

function list(): string {
  const width = Math.max(...Object.keys(benches).map((each) => each.length))
  return Object.entries(benches)
    .map(([each, { measures, takes }]) => `${each.padEnd(width)}  ${measures} (${takes})`)
    .join('\n')
}
