import { listBackups } from '@memory/shared/ops/backups'
import { ListBackups } from '@memory/shared/ops/backups-schema'
import { endpoint } from '../http/endpoint.ts'

export const backupRoutes = [
  endpoint(ListBackups, ({ context, query }) => listBackups(context.config.backupDir, query)),
]
