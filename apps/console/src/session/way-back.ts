/** Where somebody comes back to after signing in. Who only opened the console goes on as the pages for signing in or up have it. */
export const wayBack = (href: string): string | undefined => (href === '/' ? undefined : href)
