/** A code as the service takes it: authenticators show the digits in groups, with spaces between. */
export const codeAsSent = (code: string): string =>
  /^[\d\s]+$/.test(code) ? code.replaceAll(/\s/g, '') : code.trim()
