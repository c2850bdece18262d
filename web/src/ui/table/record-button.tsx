import { Button, type ButtonProps } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ComponentProps, ReactNode } from 'react'
import { Can, type Needs } from '#platform/session/session.tsx'
import { Icon } from '../layout/icon.tsx'

interface Props extends Pick<ButtonProps, 'size'> {
  to: string
  search: Record<string, string | number>
  /** The permission that the place asks for; without it there is no button. */
  needs: Needs
  icon: ComponentProps<typeof Icon>['of']
  children: ReactNode
}

/** A button that leads to a record, for those who may open its place. */
export function RecordButton({ to, search, needs, icon, children, ...look }: Props) {
  return (
    <Can permission={needs}>
      <Button
        variant="default"
        leftSection={<Icon of={icon} />}
        renderRoot={(props) => <Link to={to} search={search as never} {...props} />}
        {...look}
      >
        {children}
      </Button>
    </Can>
  )
}
