import { lazyRouteComponent } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { fetched } from '../parts/fetched.ts'

/** A page whose file comes when it is opened, or before, while nobody waits. */
export const lazyPage = <Name extends string, Pages extends Record<Name, ComponentType>>(
  read: () => Promise<Pages>,
  name: Name,
) => lazyRouteComponent(() => fetched(read()), name)
