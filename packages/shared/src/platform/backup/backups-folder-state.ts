/** How the folder of backups is found. */
export const backupsFolderStates = ['readable', 'missing', 'not_allowed', 'not_a_folder', 'failing'] as const
export type BackupsFolderState = (typeof backupsFolderStates)[number]
