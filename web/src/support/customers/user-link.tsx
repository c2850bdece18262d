import { Link } from '@tanstack/react-router'
import { stay } from '#platform/routing/places.ts'

/** Opens another customer in place of the current one. */
export function UserLink({ id, name }: { id: number; name: string }) {
  return (
    <Link {...stay<'/support/users'>({ user: id, tab: undefined, view: undefined })} resetScroll preload={false}>
      {name}
    </Link>
  )
}
