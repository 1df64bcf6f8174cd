/** What an access token says, once its signature holds. */
export interface AccessClaims {
  userId: string
  sessionId: string
  /** Of the key that signed it. */
  kid: string
}
