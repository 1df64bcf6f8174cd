/** What a user may be in an organization. Owners and admins are its administrators. */
export const roles = ['owner', 'admin', 'member'] as const

export type Role = (typeof roles)[number]

export const isAdministrator = (role: Role): boolean => role !== 'member'
