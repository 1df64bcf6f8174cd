/** Whether it is a code of an authenticator app, and not a recovery code. */
export const isOfApp = (code: string): boolean => /^[\d\s]+$/.test(code)

/** A code as the service takes it: authenticators show the digits in groups, with spaces between. */
export const codeAsSent = (code: string): string => (isOfApp(code) ? code.replaceAll(/\s/g, '') : code.trim())
