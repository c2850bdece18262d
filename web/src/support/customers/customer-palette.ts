import { listUsers, type UserList } from '@limber/contract/support/customers/customer.ts'
import { IconUser } from '@tabler/icons-react'
import { send } from '#platform/api/api.ts'
import { hrefTo } from '#platform/routing/links.ts'
import type { PaletteItem } from '#platform/routing/sections.ts'
import type { Session } from '#platform/session/session.tsx'
import { customersPath } from './customers-path.ts'

/** The first few customers whose name, email or phone contains the text, each with more about what is done to them. */
export async function findPeople(
  text: string,
  signal: AbortSignal,
  session: Session,
  more: (user: UserList['users'][number]) => Partial<PaletteItem> = () => ({}),
): Promise<PaletteItem[]> {
  const place = customersPath(session)
  if (!place) return []
  const { users } = await send(listUsers, { query: { search: text, limit: '5', living: 'yes' } }, { signal })
  return users.map((user) => ({
    id: `user-${user.id}`,
    title: user.name,
    detail: user.email,
    icon: IconUser,
    run: (go) => go(hrefTo(place, { user: user.id })),
    ...more(user),
  }))
}
