/** The receipts that are kept, for those who list and verify them. */
export { isStoredReceipt, listReceipts, type ReceiptRow, receiptsOfOrganization } from './store.ts'
