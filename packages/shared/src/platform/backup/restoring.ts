/** What the embedded database's folder is called until a restore is done; while it is there, no service starts. */
export const restoringFolder = 'database.restoring'

/** A schema that is there until a restore into a PostgreSQL is done; while it is there, no service starts. */
export const restoringSchema = 'memory_restoring'

export const interrupted = (where: string) =>
  `A restore into ${where} was interrupted, so what is there is not whole: run npm run restore again`

/** Appended to the name of what a restore moves out of its way. */
export const asideName = (name: string, now: Date) =>
  `${name}_before_${now
    .toISOString()
    .replace(/[-:]|\.\d+Z$/g, '')
    .toLowerCase()}`
