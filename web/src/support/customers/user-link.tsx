import { Link } from '@tanstack/react-router'
import { withSearch } from '#platform/routing/links.ts'

/** Opens another customer in place of the current one. */
export function UserLink({ id, name }: { id: number; name: string }) {
  return (
    <Link {...withSearch<'/support/users'>({ user: id, tab: undefined, view: undefined })} resetScroll preload={false}>
      {name}
    </Link>
  )
}
