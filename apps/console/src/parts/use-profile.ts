import { useQuery } from '@tanstack/react-query'
import { clientOf } from '../session/client.ts'

/** Who is signed in, whatever organization the address names. */
export function useProfile() {
  return useQuery({
    queryKey: ['profile'],
    queryFn: ({ signal }) => clientOf({}).users.me({ signal }),
  })
}
