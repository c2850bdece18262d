import { runWork } from '#platform/db/work.ts'
import type { Services } from '#platform/services.ts'
import { findSealedWithOtherKeys, saveSealed } from './email-log.queries.ts'
import { openContent, openRecipient, sealEmail } from './email-log.seal.ts'

const BATCH_SIZE = 200

/** Seals every logged email with the current key. Emails whose key is missing are counted and left unchanged. */
export async function resealEmails(services: Pick<Services, 'db' | 'clock' | 'keyring'>) {
  const { db, keyring } = services
  let [resealed, left, after] = [0, 0, 0]
  for (;;) {
    const rows = await findSealedWithOtherKeys(db, keyring.keyId, after, BATCH_SIZE)
    const last = rows.at(-1)
    if (!last) return { resealed, left }
    after = last.id
    await runWork(services, { call: 'limber keys rotate' }, async (work) => {
      for (const { id, to_sealed, content_sealed } of rows) {
        try {
          const content = content_sealed && openContent(keyring, content_sealed)
          await saveSealed(work.db, id, sealEmail(keyring, openRecipient(keyring, to_sealed), content))
          resealed++
        } catch {
          left++
        }
      }
    })
  }
}
