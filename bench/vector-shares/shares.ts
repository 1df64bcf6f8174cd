import type { Profile, ProfileNode } from './profiler.ts'

/** What the main thread does for a query, in the order in which it is shown. */
export const categories = [
  'HTTP (node:http, sockets, streams)',
  'headers, routing, order of steps',
  'authentication',
  'reading JSON and validation',
  'search',
  'reading payloads',
  'database',
  'writing the answer',
  'learning, access and usage notes',
  'log and metrics',
  'garbage collection',
  'native, no JavaScript running',
  'other',
] as const
export type Category = (typeof categories)[number]

interface Rule {
  category: Category
  /** Part of the URL of a function's file. */
  url: RegExp
  /** Only functions of these names; one without a name has the empty one. */
  names?: RegExp
}

/** The first that fits a call says what it is for. */
const rules: readonly Rule[] = [
  { category: 'writing the answer', url: /\/http\/endpoint\.ts$/, names: /^sendJson$/ },
  { category: 'writing the answer', url: /\/query-vectors\.ts$/, names: /^(resultsJson)?$/ },
  { category: 'writing the answer', url: /\/(catalogue\/json-text|vectors\/vector-value)\.ts$/ },
  { category: 'reading JSON and validation', url: /\/http\/(body\.ts|validation\/)/ },
  { category: 'reading JSON and validation', url: /\/(kernels\/vector-parse|catalogue\/fields[^/]*)\.ts$/ },
  { category: 'reading JSON and validation', url: /\/node_modules\/zod\// },
  { category: 'reading JSON and validation', url: /\/kernels\/kernels\.ts$/, names: /^parseVectors$/ },
  { category: 'authentication', url: /\/http\/authenticate\.ts$/ },
  {
    category: 'authentication',
    url: /\/identity\/src\/(keys|accounts|tokens|security)\/|\/shared\/src\/throttle\/|\/platform\/last-use\.ts$/,
  },
  {
    category: 'log and metrics',
    url: /\/(ops\/metrics|platform\/log)\.ts$|\/node_modules\/(pino|sonic-boom)/,
  },
  {
    category: 'log and metrics',
    url: /\/node_modules\/(prom-client|safe-stable-stringify|quick-format-unescaped)/,
  },
  {
    category: 'database',
    url: /\/platform\/database\/|\/platform\/outbox\/|^wasm:|\/@electric-sql\/|\/node_modules\/(pg|kysely)/,
  },
  { category: 'reading payloads', url: /\/patterns\/pattern-cache\.ts$|\/memory\/src\/store\.ts$/ },
  {
    category: 'learning, access and usage notes',
    url: /\/memory\/src\/(learning|brain|regime|prefetch|predict|tiers)\/|\/identity\/src\/usage\/|\/engine\/src\/(?!kernels)/,
  },
  {
    category: 'search',
    url: /\/memory\/src\/(index|vectors|spaces|routing)\/|\/memory\/src\/(compute|caches)\.ts$/,
  },
  { category: 'search', url: /\/src\/pool\/|\/engine\/src\/kernels\/|\/crates\/accel\// },
  { category: 'headers, routing, order of steps', url: /\/apps\/api\/src\/|\/node_modules\/express\// },
  {
    category: 'HTTP (node:http, sockets, streams)',
    url: /^node:(_http|http|net|_stream|stream|internal\/(stream|http|net|js_stream|timers|abort|event_target))/,
  },
]

/** Frames of V8's own that are no calls. */
const pseudo: Readonly<Record<string, Category | 'idle'>> = {
  '(garbage collector)': 'garbage collection',
  '(program)': 'native, no JavaScript running',
  '(idle)': 'idle',
}

/** Microseconds by what they were spent on. */
export interface Shares {
  byCategory: Record<Category, number>
  idle: number
  /** The functions that took most themselves, most first. */
  top: { name: string; category: Category; us: number }[]
}

/**
 * Time of each function itself, counted for the nearest of it and its callers that a rule fits. Sockets that a database
 * or the log uses count as these.
 */
export function sharesOf({ nodes, samples, timeDeltas }: Profile): Shares {
  const parents = new Map<number, ProfileNode>()
  const byId = new Map(nodes.map((node) => [node.id, node]))
  for (const node of nodes) for (const child of node.children ?? []) parents.set(child, node)
  const categoryOf = new Map<number, Category | 'idle'>()
  const byCategory = Object.fromEntries(categories.map((each) => [each, 0])) as Record<Category, number>
  const byFunction = new Map<string, { category: Category; us: number }>()
  let idle = 0
  for (const [i, id] of samples.entries()) {
    const node = byId.get(id) as ProfileNode
    // A sample's own time ends where the next begins.
    const us = timeDeltas[i + 1] ?? 0
    const category = categoryOf.get(id) ?? classify(node, parents)
    categoryOf.set(id, category)
    if (category === 'idle') {
      idle += us
      continue
    }
    byCategory[category] += us
    const name = nameOf(node, parents)
    const known = byFunction.get(`${name} ${category}`)
    if (known === undefined) byFunction.set(`${name} ${category}`, { category, us })
    else known.us += us
  }
  const top = [...byFunction].map(([key, { category, us }]) => ({
    name: key.slice(0, -category.length - 1),
    category,
    us,
  }))
  return { byCategory, idle, top: top.sort((a, b) => b.us - a.us) }
}

/** A native function, which has no file, with the function that called it. */
function nameOf(node: ProfileNode, parents: ReadonlyMap<number, ProfileNode>): string {
  const { functionName, url } = node.callFrame
  const caller = url === '' && !(functionName in pseudo) ? parents.get(node.id) : undefined
  const of = caller === undefined ? url : `of ${caller.callFrame.functionName} ${caller.callFrame.url}`
  return `${functionName || '(anonymous)'} ${of.replace(/\S*\/(?=[^/]*\/[^/]*$)/, '')}`.trim()
}

function classify(node: ProfileNode, parents: ReadonlyMap<number, ProfileNode>): Category | 'idle' {
  const ofV8 = pseudo[node.callFrame.functionName]
  if (ofV8 !== undefined) return ofV8
  let first: Category | undefined
  for (let each: ProfileNode | undefined = node; each !== undefined; each = parents.get(each.id)) {
    const category = ruleFor(each)
    if (category === undefined) continue
    if (first === undefined && !category.startsWith('HTTP')) return category
    first ??= category
    if (category === 'database' || category === 'log and metrics') return category
  }
  return first ?? 'other'
}

function ruleFor({ callFrame: { functionName, url } }: ProfileNode): Category | undefined {
  return rules.find((rule) => rule.url.test(url) && (rule.names?.test(functionName) ?? true))?.category
}
