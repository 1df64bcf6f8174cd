import * as f from '@memory/shared/catalogue/fields'
import { limits } from '@memory/shared/catalogue/limits'
import { operation } from '@memory/shared/catalogue/operation'
import { z } from 'zod'

const tag = 'Receipts'
const when = z.iso.datetime()
const hash = z.string().meta({ description: 'SHA-256 in hex.' })

const ReceiptClaims = z
  .object({
    iss: z.string().meta({ description: 'The service: `PUBLIC_BASE_URL`.' }),
    jti: z.string(),
    iat: z.int(),
    org: z.string(),
    space: z.string().nullable().meta({ description: 'null where the whole organization was erased.' }),
    selector_sha256: hash.meta({
      description: 'Of what chose the patterns, as canonical JSON (RFC 8785): SHA-256 in hex.',
    }),
    counts: z.record(z.string(), z.int()).meta({ description: 'Rows that were removed, by what they were.' }),
    ids_sha256: hash.meta({
      description:
        'Of the ids of the patterns, sorted byte by byte and joined by line feeds: SHA-256 in hex.',
    }),
    requested_at: when,
    completed_at: when,
    log_purged_by: when.meta({
      description:
        'When the audit log no longer says that so many patterns were erased. What they held is in no log.',
    }),
  })
  .meta({ id: 'ReceiptClaims' })

const receipt = z.string().meta({ description: 'JWS, typ `erasure-receipt+jwt`.' })

export const ListReceipts = operation({
  id: 'listReceipts',
  method: 'get',
  path: '/v1/memory/receipts',
  tag,
  summary: 'Receipts of what was erased, newest first',
  description:
    'A receipt is signed and stored in the transaction that erases, and kept for good. It holds hashes and counts, neither texts nor ids of patterns.',
  access: 'memory:read',
  query: z.object({
    cursor: f.queryString(0, 200).optional().meta({ description: '`next_cursor` of the page before.' }),
    limit: f.queryInteger(1, limits.listMax, limits.listDefault),
  }),
  response: z
    .object({
      receipts: z.array(z.object({ receipt, claims: ReceiptClaims }).meta({ id: 'ListedReceipt' })),
      next_cursor: z.string().nullable(),
    })
    .meta({ id: 'ReceiptList' }),
})

export const ListAllReceipts = operation({
  id: 'listAllReceipts',
  method: 'get',
  path: '/v1/admin/receipts',
  tag: 'Administration',
  summary: 'Receipts of what was erased of all organizations',
  description:
    'Newest first, also those of organizations that are erased. They hold hashes and counts, neither texts nor ids of patterns.',
  access: 'platform_admin',
  query: z.object({
    organization_id: f.uuid().optional().meta({ description: 'Of this one only.' }),
    cursor: f.queryString(0, 200).optional().meta({ description: '`next_cursor` of the page before.' }),
    limit: f.queryInteger(1, limits.listMax, limits.listDefault),
  }),
  response: z
    .object({
      receipts: z.array(
        z
          .object({
            receipt,
            claims: ReceiptClaims,
            organization_name: z
              .string()
              .nullable()
              .meta({ description: 'null where the organization is erased.' }),
          })
          .meta({ id: 'AdministeredReceipt' }),
      ),
      next_cursor: z.string().nullable(),
    })
    .meta({ id: 'AdministeredReceipts' }),
})

const faults = {
  signature: 'it is no receipt that this service has signed',
  organization: 'it is of another organization',
  unknown:
    'its signature holds, but the service has no such receipt: say, since a backup was restored that is older',
  other_ids: 'the ids are not those that it was made of',
  still_there: 'patterns with some of the ids are there',
} as const

export const VerifyReceipt = operation({
  id: 'verifyReceipt',
  method: 'post',
  path: '/v1/memory/receipts/verify',
  tag,
  summary: 'Check a receipt, and that nothing of it is there',
  description:
    'Checks the signature, and that the receipt is one that the service has kept. The service keeps no ids of what it erased: whoever has them gives them, and learns whether they are those of the receipt and whether any of these patterns is there now. Without them `checked_ids` is false, and the answer says nothing about what is there.',
  access: 'memory:read',
  selects: false,
  body: z
    .object({
      receipt: f.plainString(1, limits.receiptChars),
      pattern_ids: f.list(f.plainString(1, 64), 0, limits.receiptIds).optional().meta({
        description:
          'All that the receipt is about, in any order; none where only versions of patterns were emptied.',
      }),
      selector: f.selector().optional().meta({
        description:
          'What the patterns were chosen by, for comparison with the receipt: the body that was sent will do.',
      }),
    })
    .meta({ id: 'VerifyReceiptRequest' }),
  response: z
    .object({
      valid: z.boolean(),
      fault: z
        .enum(Object.keys(faults) as [keyof typeof faults])
        .nullable()
        .meta({
          description: `Why it is not valid. ${Object.entries(faults)
            .map(([fault, meaning]) => `${fault}: ${meaning}.`)
            .join(' ')}`,
        }),
      checked_ids: z.boolean(),
      remaining: z
        .int()
        .nullable()
        .meta({ description: 'Of the given ids, those of patterns that are there now; null without ids.' }),
      selector_matches: z.boolean().nullable().meta({ description: 'null without a selector.' }),
      claims: ReceiptClaims.nullable().meta({
        description: 'What the receipt says; null unless it is valid so far.',
      }),
    })
    .meta({ id: 'VerifiedReceipt' }),
})
