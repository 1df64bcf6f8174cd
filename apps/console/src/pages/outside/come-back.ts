import { useNavigate, useRouter } from '@tanstack/react-router'
import { consolePath } from '../../session/page-address.ts'

/** Goes to where somebody wanted to be before signing in: an address within the console, or the overview. */
export function useComeBack(): (to: string | undefined) => void {
  const router = useRouter()
  const navigate = useNavigate()
  return (to) => {
    // Of another place, such as //example.com, an address does not begin so.
    // The router's own addresses are those below the console's path, the history's are whole.
    if (to !== undefined && /^\/(?![/\\])/.test(to)) router.history.push(consolePath + to)
    else void navigate({ to: '/' })
  }
}
