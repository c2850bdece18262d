import type { MacroAction } from '@limber/contract/support/saved-replies/macro.ts'
import type { Insertable } from 'kysely'
import type { Db, Tables } from '#platform/db/db.ts'
import { randomToken } from '#platform/security/secrets.ts'
import { factoryNow } from '#platform/testing/factory-clock.ts'

type SavedReplyDraft = Partial<Omit<Insertable<Tables['saved_replies']>, 'actions'>> & {
  changed_by: number
  actions?: readonly MacroAction[]
}

/** Creates a greeting with a unique name. */
export const makeSavedReply = (db: Db, { actions = [], ...overrides }: SavedReplyDraft) =>
  db
    .insertInto('saved_replies')
    .values({
      name: `Reply ${randomToken(4)}`,
      content: 'Hello {first name},\n\nthank you for writing.',
      actions: JSON.stringify(actions),
      changed_at: factoryNow(),
      ...overrides,
    })
    .returning(['id', 'name', 'content', 'version'])
    .executeTakeFirstOrThrow()
