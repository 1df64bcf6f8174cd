import { z } from 'zod'
import * as f from '../catalogue/fields.ts'
import { limits } from '../catalogue/limits.ts'
import { operation } from '../catalogue/operation.ts'
import { backupsFolderStates } from '../platform/backup/backups-folder-state.ts'

const nullable = { description: 'null where its list can’t be read.' }

export const ListBackups = operation({
  id: 'listBackups',
  method: 'get',
  path: '/v1/admin/backups',
  tag: 'Administration',
  summary: 'The backups that lie on the service’s disk',
  description:
    'What `npm run backup` has made in `MEMORY_BACKUP_DIR`, as the process that answers sees it, by name with the last first: names that have dates then have the newest first. Backups elsewhere are not known.',
  access: 'platform_admin',
  query: z.object({
    cursor: f.queryString(0, 1_000).optional().meta({ description: '`next_cursor` of the page before.' }),
    limit: f.queryInteger(1, limits.listMax, limits.listDefault),
  }),
  response: z
    .object({
      folder: z.string(),
      folder_state: z.enum(backupsFolderStates).meta({
        description:
          '`missing`: nothing was backed up there yet. `not_allowed`: give the user that the service runs as the right to read it. `not_a_folder`: `MEMORY_BACKUP_DIR` names, or leads through, something else. `failing`: its disk or mount does not answer as it should. No backup is listed but where it is `readable`.',
      }),
      backups: z.array(
        z
          .object({
            name: z.string(),
            state: z.enum(['complete', 'damaged', 'unfinished']).meta({
              description:
                '`complete`: every file is there, with its size. `npm run restore` compares their checksums before it restores them.',
            }),
            problem: z.string().nullable().meta({ description: 'What is wrong with one that is damaged.' }),
            created_at: z.iso.datetime().nullable().meta(nullable),
            version: z.string().nullable().meta({ description: 'Of the release that made it.' }),
            database: z.enum(['embedded', 'postgres']).nullable().meta(nullable),
            migration: z.string().nullable().meta(nullable),
            bytes: z.int().nullable().meta(nullable),
            patterns: z.int().nullable().meta({ description: 'Rows of the table of patterns.' }),
          })
          .meta({ id: 'BackupFound' }),
      ),
      next_cursor: z.string().nullable(),
    })
    .meta({ id: 'BackupsFound' }),
})
