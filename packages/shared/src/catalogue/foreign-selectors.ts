import { editDistance } from './edit-distance.ts'
import { type Fault, faults } from './fields-faults.ts'

const namesIn = (list: string): string[] => list.trim().split(/\s+/)

/**
 * Field names by which memory products select whose memories a request is about. When such a name is not a field of the
 * operation, it is refused: ignoring it, a request would read, change or remove everybody's memories. `filter` and `subject`
 * are names of this service, but not all of its operations have them.
 */
const foreign: readonly string[] = namesIn(`
  filter where where_document where_filter metadata_filter query_filter search_filter filter_by filter_expression expr
  must must_not should and or not restrict numeric_restrict
  user user_id user_name end_user end_user_id subject subject_id entity entity_id actor_id peer peer_id owner owner_id customer
  customer_id account account_id email
  agent agent_id app app_id run run_id session session_id thread thread_id conversation conversation_id
  tenant tenant_id tenancy organization org org_id workspace workspace_id project project_id
  space space_id namespace partition partition_key partition_name shard_key scope container container_tag collection collection_name
  bank bank_id group group_id dataset dataset_id resource resource_id document_id source tag label node_label
  entities memory_id exclude_id keyword`)

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
  start_date: { reserved: '$occurred_at', field: 'after' },
  end_date: { reserved: '$occurred_at', field: 'before' },
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

/** Names by which programs are asked to show what they would do and to do nothing, as by `dry_run` here. */
const rehearsals = namesIn(`
  dry dry_mode is_dry_run simulate simulated simulation simulate_only preview preview_only rehearse rehearsal pretend no_op no_act
  what_if trial trial_run test test_run test_mode testing mock check_only validate_only validation_only plan_only list_only
  show_only count_only only_count`)

/**
 * Further names that restrict which patterns are meant, how many, or whether anything is removed at all. Only operations that
 * remove something refuse them, since what is removed is lost. Reads ignore them, since their answer shows what was selected; but
 * where a filter selects by metadata, `metadata` is refused too, which probably names an end user.
 */
const sparing: Readonly<Record<string, Instead>> = {
  id: {},
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
  ...Object.fromEntries(rehearsals.map((name) => [name, { field: 'dry_run' }])),
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

const isForeign = (name: string): boolean => foreign.includes(name)

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
  if (name === 'metadata' && place === undefined && filter !== undefined)
    return faults.selectorForbidden(filter)
  const instead = narrowing[name] ?? (removes ? sparing[name] : undefined)
  if (instead === undefined) return undefined
  if (place !== undefined) return useInstead(place)
  if (name === 'as_of') return faults.asOfForbidden
  if (instead.reserved !== undefined && filter !== undefined) {
    return because(`select by \`${instead.reserved}\` with \`${filter}\``)
  }
  const other = instead.field && placeOf(instead.field)
  return other === undefined ? because(`the operation has no \`${name}\``) : useInstead(other)
}

/** Names that every operation that removes takes or refuses. Misspelt, they are refused as well. */
const ofAll = ['filter', 'subject', 'dry_run']

/**
 * The fault of an unknown field of an operation that removes something, when it is probably a misspelt field or selector:
 * ignoring it might remove more than was meant. Undefined for other names.
 * @param own the operation's fields
 * @param placeOf as for `faultOfSelector`
 */
export function faultOfMisspelt(
  field: string,
  own: Iterable<string>,
  placeOf: (name: string) => string | undefined,
): Fault | undefined {
  const given = squeezed(field)
  let meant: { name: string; distance: number } | undefined
  for (const name of new Set([...own, ...ofAll])) {
    const known = squeezed(name)
    const most = mostDifferences(known, given)
    if (Math.abs(known.length - given.length) > most) continue
    const distance = editDistance(given, known)
    if (distance <= most && distance < (meant?.distance ?? Infinity)) meant = { name, distance }
  }
  if (meant === undefined) return undefined
  const place = placeOf(meant.name)
  return place === undefined
    ? faultOfSelector(meant.name, true, placeOf)
    : because(`perhaps \`${place}\` is meant`)
}

/**
 * How many edits turn a name into what may be a misspelling of it: fewer for a short name, and two only when the first letter is
 * right, since `object` is another word than `subject`.
 */
function mostDifferences(known: string, given: string): number {
  if (known.length < 3) return 0
  return known.length >= 6 && known[0] === given[0] ? 2 : 1
}

/** The fault of a field that is refused. @param reason why */
export const because = (reason: string): Fault => {
  const { type, msg } = faults.extraForbidden
  return { type, msg: `${msg}: ${reason}` }
}

/** The fault of a field in place of which another must be used. @param place the other's place, in the form of messages */
export const useInstead = (place: string): Fault => because(`use \`${place}\``)
