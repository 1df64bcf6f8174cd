/** Seconds that an access token lives. */
export const accessTokenS = 900
/** Days that a refresh token lives, and with it a session that nobody uses. */
export const refreshTokenDays = 30
/** Seconds that a token for an end user lives: at least, unless said, and at most. */
export const subjectTokenMinS = 60
export const subjectTokenDefaultS = 900
export const subjectTokenMaxS = 86_400
/** Seconds that clocks of the service's processes may differ. */
export const skewS = 5
