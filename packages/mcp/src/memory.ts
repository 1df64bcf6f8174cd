import type { MemoryClient } from 'memory-service-sdk'

/** What the tools ask of a memory: the client of a service whose credential says which space, and whose memories, are meant. */
export type Memory = Pick<MemoryClient, 'text' | 'patterns' | 'engine'>
