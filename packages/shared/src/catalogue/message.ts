import { z } from 'zod'

/** The answer of operations that have nothing to tell but that they are done. */
export const Message = z.object({ message: z.string() }).meta({ id: 'Message' })
