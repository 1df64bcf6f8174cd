/** Seconds until an access token expires. */
export const accessTokenS = 900
/** Days until a refresh token expires, and with it an unused session. */
export const refreshTokenDays = 30
/** Seconds until an end user's token expires: the minimum, default and maximum. */
export const subjectTokenMinS = 60
export const subjectTokenDefaultS = 900
export const subjectTokenMaxS = 86_400
/** Seconds by which the clocks of the service's processes may differ. */
export const skewS = 5
