import type { Session } from '../session/session.tsx'
import type { Href } from './links.ts'
import type { OpenSentence, PaletteItem, RecentKind, Sentence, Verb } from './sections.ts'

export type { OpenSentence, PaletteItem, RecentKind, Sentence, Verb }

type Options = NonNullable<Verb['options']>

/** The id of the record that a finder returned. */
export const idOf = ({ id }: PaletteItem) => Number(id.split('-').at(-1))

/** The records that a finder returns, each with another target. */
export const eachTo =
  (find: Options, hrefOf: (id: number, session: Session) => Href | undefined): Options =>
  async (text, signal, session) =>
    (await find(text, signal, session)).map((item) => ({
      ...item,
      run: (go) => {
        const href = hrefOf(idOf(item), session)
        if (href) go(href)
      },
    }))

/** The id of the open record, from a parameter of the address. */
export const idIn = (search: URLSearchParams, name: string): number | undefined => {
  const id = search.get(name) ?? ''
  return /^[1-9]\d{0,14}$/.test(id) ? Number(id) : undefined
}
