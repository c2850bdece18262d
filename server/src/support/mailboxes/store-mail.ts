import { MAX_MESSAGE_BYTES } from '@limber/contract/support/files/ticket-file.ts'
import { isRolledBack } from '#platform/db/db.ts'
import { runWork, type Work } from '#platform/db/work.ts'
import type { Services } from '#platform/services.ts'
import { discardFiles, type IncomingFile, storeFiles } from '../files/store-file.ts'
import { hasMail } from '../inbox/inbound.queries.ts'
import { MAX_PARTS, type ParsedMail, parseRoughly } from '../inbox/parse-mail.ts'
import { readMail } from '../inbox/read-mail.ts'
import { type ReceivingMailbox, receiveMail } from '../inbox/receive-mail.ts'

type Needs = Pick<Services, 'db' | 'clock' | 'log' | 'keyring' | 'config' | 'company' | 'storage'>

/** 25 MB of attachments and their encoding. Of a larger email, only the beginning is read. */
export const MAX_MAIL_BYTES = 40 * 1024 * 1024

/** Another process reads the mailbox now, or its settings changed. */
export class Superseded extends Error {}

export interface GivenMail {
  mail: ParsedMail
  source: Buffer
  /** Only the beginning of the email was read. */
  isCut: boolean
}

export const parseGiven = async (source: Buffer, isCut: boolean): Promise<GivenMail> => ({
  mail: isCut ? parseRoughly(source) : await readMail(source),
  source,
  isCut,
})

/** The files of an email. Of one that cannot be read, the original is kept. */
function filesOf({ mail, source, isCut }: GivenMail): IncomingFile[] {
  if (mail.kind === 'unreadable')
    return [{ filename: isCut ? 'beginning.eml' : 'original.eml', content: source, role: 'original', contentId: null }]
  return mail.files.map(({ filename, content, contentId, isInline }) => ({
    filename,
    content: Buffer.from(content.buffer, content.byteOffset, content.byteLength),
    role: isInline ? 'inline' : 'attachment',
    contentId,
  }))
}

/** Stores the files of an email, then the email with what `also` writes, both or neither. Says whether it was new. */
export async function storeMail(
  services: Needs,
  mailbox: ReceivingMailbox,
  given: GivenMail,
  also: (work: Work, isNew: boolean) => Promise<void>,
): Promise<boolean> {
  const { mail } = given
  const isKnown = await hasMail(services.db, mailbox.id, mail.digest)
  const limits = {
    bytes: mail.kind === 'unreadable' ? MAX_MAIL_BYTES : MAX_MESSAGE_BYTES,
    files: MAX_PARTS,
  }
  const files = isKnown ? [] : await storeFiles(services, filesOf(given), limits)
  try {
    const isNew = await runWork(services, { call: 'mailbox reader' }, async (work) => {
      const isNew = (await receiveMail(work, services, mailbox, mail, files)) !== undefined
      await also(work, isNew)
      if (isNew) work.publish('mailboxes')
      return isNew
    })
    if (!isNew) await discardFiles(services, files)
    return isNew
  } catch (error) {
    // If the commit may have succeeded, the nightly sweep decides.
    if (error instanceof Superseded || isRolledBack(error)) await discardFiles(services, files)
    throw error
  }
}
