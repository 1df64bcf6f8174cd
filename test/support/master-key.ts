/** The master key of services on a real PostgreSQL. */
export const testMasterKey = Buffer.alloc(32, 7).toString('base64')
