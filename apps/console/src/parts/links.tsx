import { Anchor, type AnchorProps, Button, type ButtonProps, NavLink, type NavLinkProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ComponentPropsWithRef } from 'react'

type Linked<Props> = Props & Omit<ComponentPropsWithRef<'a'>, keyof Props>

/** Links to pages of the console, whose addresses and parameters the router's types check. */
export const PageLink = createLink((props: Linked<AnchorProps>) => <Anchor {...props} />)

/** The same as a button. */
export const ButtonLink = createLink((props: Linked<ButtonProps>) => <Button component="a" {...props} />)

/** The same in a list of pages. */
export const PageNavLink = createLink((props: Linked<NavLinkProps>) => <NavLink component="a" {...props} />)
