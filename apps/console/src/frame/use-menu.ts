import { useProfile } from '../parts/use-profile.ts'
import { menu, operatorsMenu } from './menu.ts'

/** The pages that who is signed in may use: those of operators are theirs alone. */
export function useMenu() {
  const isOperator = useProfile().data?.is_platform_admin === true
  return menu.filter(({ name }) => isOperator || name !== operatorsMenu)
}
