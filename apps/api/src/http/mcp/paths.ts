export const mcpPath = '/mcp'

/** Where programs learn how to be let in (RFC 9728), below the address of the service. */
export const resourceMetadataPath = `/.well-known/oauth-protected-resource${mcpPath}`
