import { describe, expect, it } from 'vitest'
import { parseRequest } from '../../apps/api/src/http/validation/request.ts'
import { type Example, endpoints, examples } from './validation-reference.ts'

const coercion = 'a body value is never coerced'
const bodyParser = 'the body parser answers 400 before validation'
const unused = 'no operation has such a field'
const router = 'the router answers it before validation'

/** Where this service answers otherwise than the reference, and why. */
const exceptions: Readonly<Record<string, string>> = {
  int_numeric_string_accepted_in_lax_mode: coercion,
  int_bool_accepted_in_lax_mode: coercion,
  bool_string_accepted_in_lax_mode: coercion,
  datetime_from_int_accepted: coercion,
  datetime_date_only_accepted: 'accepted too, but a time without an offset is read as UTC',
  date_from_datetime_parsing: unused,
  discriminated_member_error: unused,
  multiple_of: unused,
  union_tag_invalid: unused,
  union_tag_not_found: unused,
  json_invalid_trailing: bodyParser,
  json_invalid_text: bodyParser,
  json_invalid_truncated: bodyParser,
  body_not_json_content_type: bodyParser,
  method_not_allowed: router,
  not_found: router,
}

/** What this service answers to a request of the reference, undefined where validation does not see it. */
function answer({ request, response }: Example): unknown {
  const url = new URL(request.path, 'http://reference')
  const endpoint = endpoints.find(({ path }) => path.test(url.pathname))
  if (endpoint === undefined) return undefined
  const body = request.raw_body === undefined ? request.json : parseJson(request.raw_body)
  const parts = {
    params: endpoint.path.exec(url.pathname)?.groups,
    query: Object.fromEntries(url.searchParams),
    headers: {},
    body,
  }
  const parsed = parseRequest(endpoint.schemas, parts, endpoint.options)
  if (!parsed.ok) return { detail: parsed.detail }
  // The reference shows only some fields of what it accepted.
  const accepted = JSON.parse(JSON.stringify(parsed.value.body ?? {})) as Record<string, unknown>
  return Object.fromEntries(Object.keys(response as object).map((key) => [key, accepted[key]]))
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

describe('the answers to the reference requests', () => {
  it.each(examples.filter((example) => !(example.case in exceptions)))(
    '$case is answered to the byte',
    (example) => {
      expect(JSON.stringify(answer(example))).toBe(JSON.stringify(example.response))
    },
  )

  it.each(Object.entries(exceptions))('%s differs: %s', (name) => {
    const example = examples.find((each) => each.case === name)
    expect(example).toBeDefined()
    expect(JSON.stringify(answer(example as Example))).not.toBe(JSON.stringify(example?.response))
  })
})
