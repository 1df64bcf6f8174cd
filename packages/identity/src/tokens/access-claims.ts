/** The claims of a verified access token. */
export interface AccessClaims {
  userId: string
  sessionId: string
  /** The id of the signing key. */
  kid: string
}
