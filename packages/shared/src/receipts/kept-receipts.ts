/** The receipts that are kept, for those who list and verify them. */
export {
  isStoredReceipt,
  listAllReceipts,
  listReceipts,
  type ReceiptOfAny,
  type ReceiptRow,
  receiptsOfOrganization,
} from './store.ts'
