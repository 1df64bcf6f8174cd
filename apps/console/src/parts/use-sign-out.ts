import { useMutation } from '@tanstack/react-query'
import { signOut } from '../session/session.ts'
import { mayLeave } from './leaving.tsx'

/** Signs out, after asking as for any other way of leaving the page. */
export const useSignOut = () =>
  useMutation({
    mutationFn: async () => {
      if (await mayLeave()) await signOut()
    },
  })
