import { listUsers } from '@limber/contract/support/customers/customer.ts'
import { IconUser } from '@tabler/icons-react'
import { send } from '#platform/api/api.ts'
import { hrefTo } from '#platform/routing/links.ts'
import type { PaletteItem } from '#platform/routing/sections.ts'
import type { Session } from '#platform/session/session.tsx'
import { customersPath } from './customers-path.ts'

/** The first few customers whose name, email or phone contains the text. */
export async function findPeople(text: string, signal: AbortSignal, session: Session): Promise<PaletteItem[]> {
  const place = customersPath(session)
  if (!place) return []
  const { users } = await send(listUsers, { query: { search: text, limit: '5', living: 'yes' } }, { signal })
  return users.map(({ id, name, email }) => ({
    id: `user-${id}`,
    title: name,
    detail: email,
    icon: IconUser,
    run: (go) => go(hrefTo(place, { user: id })),
  }))
}
