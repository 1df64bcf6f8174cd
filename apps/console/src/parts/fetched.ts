import { ConnectionError } from 'memory-service-sdk'

/**
 * A part of the console that comes when it is needed. What keeps it from coming is told as any request that is not answered,
 * in the reader's language. @throws ConnectionError
 */
export async function fetched<Part>(coming: Promise<Part>): Promise<Part> {
  try {
    return await coming
  } catch (cause) {
    // The router knows by the message that the page may be of an older build, and loads it anew once.
    throw new ConnectionError(cause instanceof Error ? cause.message : String(cause), { cause })
  }
}
