/** Where the console is, as the page says, whatever path a proxy has put it under; without a slash at the end. */
export const consolePath = new URL(document.baseURI).pathname.replace(/\/$/, '')

/** Where the API is: beside the console. */
export const apiUrl = location.origin + consolePath.replace(/\/console$/, '')

/** Opens the styles that the page makes itself under its policy of contents. */
export const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? ''
