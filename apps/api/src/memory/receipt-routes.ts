import { ListAllReceipts, ListReceipts, VerifyReceipt } from '@memory/memory/receipts/schema'
import { listAllReceipts, listReceipts, verifyReceipt } from '@memory/memory/receipts/service'
import { endpoint } from '../http/endpoint.ts'

export const receiptRoutes = [
  endpoint(ListReceipts, ({ context, caller, query }) => listReceipts(context.accounts, caller, query)),
  endpoint(ListAllReceipts, ({ context, query }) => listAllReceipts(context.accounts, query)),
  endpoint(VerifyReceipt, ({ context, caller, body }) => verifyReceipt(context.memory, caller, body)),
]
