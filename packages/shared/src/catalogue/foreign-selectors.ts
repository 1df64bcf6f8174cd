import { type Fault, faults } from './fields-faults.ts'

/**
 * Field names by which memory products select whose memories a request is about. When such a name is not a field of the
 * operation, it is refused: ignoring it, a request would read, change or remove everybody's memories. `filter` and `subject`
 * are names of this service, but not all of its operations have them.
 */
const foreign = [
  'filter',
  'where',
  'where_document',
  'metadata_filter',
  'query_filter',
  'must',
  'user',
  'user_id',
  'end_user',
  'end_user_id',
  'subject_id',
  'entity_id',
  'agent_id',
  'app_id',
  'run_id',
  'session_id',
  'thread_id',
  'conversation_id',
  'tenant',
  'tenant_id',
  'namespace',
  'partition',
  'scope',
  'container_tag',
  'collection',
  'collection_name',
  'bank_id',
  'group_id',
  'tag',
  'subject',
] as const

/** What to use instead of a field that an operation does not have. */
interface Instead {
  /** The reserved name in filters. */
  reserved?: string
  /** Another field of requests. */
  field?: string
}

/** Names by which some operations of this service select. An operation without them refuses them, since it would select more. */
const narrowing: Readonly<Record<string, Instead>> = {
  after: { reserved: '$occurred_at', field: 'since' },
  before: { reserved: '$occurred_at', field: 'until' },
  since: { reserved: '$occurred_at', field: 'after' },
  until: { reserved: '$occurred_at', field: 'before' },
  as_of: {},
  category: { reserved: '$category' },
  tier: { reserved: '$tier' },
  query: { field: 'q' },
  q: { reserved: '$text', field: 'query' },
  pattern_id: {},
  external_id: { reserved: '$external_id' },
  pattern_index: {},
  pattern_idx: { field: 'pattern_indexes' },
}

/**
 * Further names that restrict which patterns are meant, how many, or whether anything is removed at all. Only operations that
 * remove something refuse them, since what is removed is lost. Reads ignore them, since their answer shows what was selected.
 */
const sparing: Readonly<Record<string, Instead>> = {
  id: {},
  memory_id: {},
  text: { reserved: '$text' },
  metadata: {},
  key: {},
  embedding: {},
  created_at: { reserved: '$created_at' },
  updated_at: { reserved: '$updated_at' },
  occurred_at: { reserved: '$occurred_at' },
  expires_at: { reserved: '$expires_at' },
  valid_from: {},
  valid_to: {},
  include_superseded: {},
  protected: {},
  version: {},
  kind: {},
  status: {},
  prefix: {},
  search: {},
  limit: {},
  top_k: {},
  min_similarity: { field: 'threshold' },
  min_priority: {},
  threshold: {},
  guard: {},
  dry_run: {},
  environment: {},
  organization_id: {},
}

/** The singulars of plurals that are not formed by just adding an s. */
const plurals: Readonly<Record<string, string>> = {
  categories: 'category',
  queries: 'query',
  pattern_indexes: 'pattern_index',
}

const squeezed = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '')
const written = [...foreign, ...Object.keys(narrowing), ...Object.keys(sparing), ...Object.keys(plurals)]
const separators = '[^a-z0-9[.]*'
const words = written.map((name) => name.replaceAll('_', separators)).join('|')
/** Matches the names in any case, with any separators, singular or plural: `containerTags`, `container-tag`, `filter[user]`. */
const pattern = new RegExp(`^${separators}(${words})s?${separators}(?:[[.]|$)`, 'i')
const names = new Map(written.map((name) => [squeezed(name), plurals[name] ?? name]))

const isForeign = (name: string): boolean => (foreign as readonly string[]).includes(name)

/**
 * The fault of an unknown field that is a selector, and so is refused even when the request is not strict; undefined for a
 * field that selects nothing and may be ignored.
 * @param removes whether the operation removes something
 * @param placeOf gives the place of the operation's field of a name, in the form of messages; undefined when it has none
 */
export function faultOfSelector(
  field: string,
  removes: boolean,
  placeOf: (name: string) => string | undefined,
): Fault | undefined {
  const found = pattern.exec(field)?.[1]
  const name = found && names.get(squeezed(found))
  if (name === undefined) return undefined
  const filter = placeOf('filter')
  const place = placeOf(name) ?? placeOf(`${name}s`) ?? placeOf(`${name}es`)
  if (isForeign(name)) {
    return name === 'subject' && place !== undefined ? useInstead(place) : faults.selectorForbidden(filter)
  }
  const instead = narrowing[name] ?? (removes ? sparing[name] : undefined)
  if (instead === undefined) return undefined
  if (place !== undefined) return useInstead(place)
  if (name === 'as_of') return faults.asOfForbidden
  if (name === 'metadata' && filter !== undefined) return faults.selectorForbidden(filter)
  if (instead.reserved !== undefined && filter !== undefined) {
    return because(`select by \`${instead.reserved}\` with \`${filter}\``)
  }
  const other = instead.field && placeOf(instead.field)
  return other === undefined ? because(`the operation has no \`${name}\``) : useInstead(other)
}

const because = (reason: string): Fault => {
  const { type, msg } = faults.extraForbidden
  return { type, msg: `${msg}: ${reason}` }
}

/** The fault of a field in place of which another must be used. @param place the other's place, in the form of messages */
export const useInstead = (place: string): Fault => because(`use \`${place}\``)
