import { limits } from '@memory/shared/catalogue/limits'

/** The name of the organization that comes with an account, where nobody gives one. */
export function nameOfOrganization(fullName: string | null, email: string): string {
  const suffix = "'s organization"
  const owner = fullName ?? email.slice(0, email.lastIndexOf('@'))
  return `${[...owner].slice(0, limits.organizationNameChars - suffix.length).join('')}${suffix}`
}
