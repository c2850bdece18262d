import { Button, type ButtonProps } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ComponentProps, ReactNode } from 'react'
import { linkTo, type Path, type SearchOf } from '#platform/routing/links.ts'
import { Can, type Needs } from '#platform/session/session.tsx'
import { Icon } from '../layout/icon.tsx'

interface Props<P extends Path> extends Pick<ButtonProps, 'size'> {
  to: P
  search?: SearchOf<P>
  /** The permission that the screen requires; without it there is no button. */
  needs: Needs
  icon: ComponentProps<typeof Icon>['of']
  children: ReactNode
}

/** A button that opens a record, for people who have access to it. */
export function RecordButton<P extends Path>({ to, search, needs, icon, children, ...look }: Props<P>) {
  return (
    <Can permission={needs}>
      <Button
        variant="default"
        leftSection={<Icon of={icon} />}
        renderRoot={(props) => <Link {...linkTo(to, search)} {...props} />}
        {...look}
      >
        {children}
      </Button>
    </Can>
  )
}
