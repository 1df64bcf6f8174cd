import { deleteAccount } from '@memory/identity/accounts/delete-account'
import { DownloadExport, GetExport, RequestExport } from '@memory/identity/accounts/export-schema'
import { getExport, openExport, requestExport } from '@memory/identity/accounts/exports'
import { DeleteAccount } from '@memory/identity/accounts/lifecycle-schema'
import { Download } from '../http/download.ts'
import { endpoint } from '../http/endpoint.ts'

export const lifecycleRoutes = [
  endpoint(DeleteAccount, ({ context, caller }) => deleteAccount(context.accounts, caller)),
  endpoint(RequestExport, ({ context, caller }) => requestExport(context.accounts, caller)),
  endpoint(GetExport, ({ context, caller, params }) => getExport(context.accounts, caller, params.export_id)),
  endpoint(DownloadExport, async ({ context, caller, params }) => {
    const archive = await openExport(context.accounts, caller, params.export_id)
    return new Download('application/zip', archive.fileName, archive.bytes, archive.pieces)
  }),
]
