/** What is made in the background for an operation: whose answer has it when it is there, and what it looks like. */
export const inBackground: Record<string, readonly [operation: string, sign: string]> = {
  downloadExport: ['getExport', '"ready"'],
  listNotifications: ['listNotifications', 'notif_'],
}
