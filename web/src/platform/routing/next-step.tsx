import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type Needs, useCan } from '../session/session.tsx'
import { linkTo, type Path, type SearchOf } from './links.ts'

interface Props<P extends Path> {
  to: P
  search?: SearchOf<P>
  /** The permission that the screen requires. */
  needs: Needs
  children: ReactNode
}

/** Leads from an empty screen to the place that fills it, for people who can open that. */
export function NextStep<P extends Path>({ to, search, needs, children }: Props<P>) {
  if (!useCan(needs)) return null
  return (
    <Button variant="default" renderRoot={(props) => <Link {...props} {...linkTo(to, search)} preload={false} />}>
      {children}
    </Button>
  )
}
