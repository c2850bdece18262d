import { Link } from '@tanstack/react-router'

/** Another customer, opened in place of this one. */
export function UserLink({ id, name }: { id: number; name: string }) {
  return (
    <Link
      to="."
      search={((before: object) => ({ ...before, user: id, tab: undefined, view: undefined })) as never}
      preload={false}
    >
      {name}
    </Link>
  )
}
