import { operation } from '@memory/shared/catalogue/operation'
import { z } from 'zod'

const tag = 'Users'
const status = z.enum(['pending', 'ready', 'failed'])

/** Any text: one that is no id is simply not found. */
const params = z.object({ export_id: z.string() })

export const RequestExport = operation({
  id: 'requestExport',
  method: 'post',
  path: '/v1/users/me/export',
  tag,
  summary: 'Export the user’s data',
  description:
    'Builds a ZIP archive in the background: profile, organizations, audit entries, sessions, and the patterns of organizations that the user owns. A mail says when it is ready. One at a time, and five a day.',
  access: 'user',
  selects: true,
  removes: false,
  response: z.object({ export_id: z.guid(), status }).meta({ id: 'RequestExportResponse' }),
  status: 202,
  errors: ['export_running', 'too_many_attempts'],
})

export const GetExport = operation({
  id: 'getExport',
  method: 'get',
  path: '/v1/users/me/exports/{export_id}',
  tag,
  summary: 'How far an export is',
  access: 'user',
  params,
  response: z
    .object({
      export_id: z.guid(),
      status,
      download_url: z.string().nullable().meta({ description: 'Null until the export is ready.' }),
    })
    .meta({ id: 'Export' }),
  errors: ['export_not_found'],
})

export const DownloadExport = operation({
  id: 'downloadExport',
  method: 'get',
  path: '/v1/users/me/exports/{export_id}/download',
  tag,
  summary: 'Download an export',
  description: 'For its user alone, for 7 days.',
  access: 'user',
  params,
  media: 'application/zip',
  response: z.any().meta({ type: 'string', format: 'binary' }),
  errors: ['export_not_found', 'export_not_ready'],
})
