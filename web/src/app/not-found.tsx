import { Button } from '@mantine/core'
import { IconMapOff } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTitle } from '#platform/routing/title.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'

/** An unknown path, inside the shell. */
export default function NotFound() {
  useTitle('Page not found')
  const home = (
    <Button variant="default" renderRoot={(props) => <Link to="/" {...props} />}>
      Go to home
    </Button>
  )
  return (
    <EmptyState icon={IconMapOff} title="Page not found" as="h1" action={home}>
      Check the address or go home.
    </EmptyState>
  )
}
