/** The least length of a new password. */
export const newPasswordChars = 12
