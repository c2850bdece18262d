import type { Session } from '../session/session.tsx'
import type { Href } from './links.ts'
import type { PaletteItem, Sentence, Verb } from './sections.ts'

export type { PaletteItem, Sentence, Verb }

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
