export const mcpPath = '/mcp'

/** The path at which programs find out how to get access (RFC 9728). */
export const resourceMetadataPath = `/.well-known/oauth-protected-resource${mcpPath}`
