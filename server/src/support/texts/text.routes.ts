import { randomUUID } from 'node:crypto'
import { codeOf } from '@limber/contract/access/permissions.ts'
import {
  listMessages,
  listUserMessages,
  type MessagePage,
  sendMessage,
} from '@limber/contract/support/texts/message.ts'
import type { Db } from '#platform/db/db.ts'
import { refuse } from '#platform/http/refusal.ts'
import { type Caller, serve } from '#platform/http/routes.ts'
import { isSuppressed } from '#platform/mail/suppressions.ts'
import type { Services } from '#platform/services.ts'
import { type Cursor, packCursor, unpackCursor } from './page-token.ts'
import { presentText } from './text.present.ts'
import {
  findCustomerNumbers,
  findLastOwnNumber,
  findText,
  findTexts,
  insertOutgoing,
  isKnownNumber,
  type TextRow,
} from './text.queries.ts'

const PAGE_SIZE = 50

interface PageRequest {
  /** The list that the page tokens are valid for. */
  list: string
  numbers: readonly string[] | undefined
  pageToken: string
  showsCustomers: boolean
}

/** A page of messages with tokens for its neighbors; undefined when the token is invalid. */
async function readPage(db: Db, services: Services, request: PageRequest): Promise<MessagePage | undefined> {
  const { keyring, texts } = services
  const { list, numbers, pageToken, showsCustomers } = request
  const requested = pageToken === '' ? undefined : unpackCursor(keyring, list, pageToken)
  if (pageToken !== '' && !requested) return undefined
  let cursor = requested
  let rows = await findTexts(db, numbers, cursor, PAGE_SIZE)
  if (cursor?.way === 'newer' && rows.length <= PAGE_SIZE) {
    // The newest page is always full, from whichever page you come.
    cursor = undefined
    rows = await findTexts(db, numbers, undefined, PAGE_SIZE)
  }
  const hasMore = rows.length > PAGE_SIZE
  const shown = rows.slice(0, PAGE_SIZE)
  if (cursor?.way === 'newer') shown.reverse()
  const tokenAt = (row: TextRow | undefined, way: Cursor['way']) =>
    row ? packCursor(keyring, list, { way, at: row.sent_at, id: row.id }) : null
  // A cursor always has the previous page on its other side.
  const hasOlder = cursor?.way === 'newer' || hasMore
  const hasNewer = cursor?.way === 'older' || (cursor?.way === 'newer' && hasMore)
  return {
    messages: shown.map((row) => presentText(row, showsCustomers)),
    nextPageToken: hasOlder ? tokenAt(shown.at(-1), 'older') : null,
    prevPageToken: hasNewer ? tokenAt(shown[0], 'newer') : null,
    ownNumber: texts?.number ?? (await findLastOwnNumber(db)) ?? null,
    isConnected: texts !== undefined,
  }
}

// Names belong to accounts, which not every support worker may see.
const seesCustomers = ({ permissions }: Caller) =>
  permissions.has(codeOf('users.overview')) || permissions.has(codeOf('users.directory'))

export const textRoutes = [
  serve(listMessages, async ({ query: { pageToken, number }, db, worker, services }) => {
    const page = await readPage(db, services, {
      list: `texts ${number}`,
      numbers: number === '' ? undefined : [number],
      pageToken,
      showsCustomers: seesCustomers(worker),
    })
    if (!page) throw refuse(listMessages, 'bad_token')
    return page
  }),

  serve(listUserMessages, async ({ params: { id }, query: { pageToken }, db, worker, services }) => {
    // For a worker who may not see accounts, every customer is not found: even their existence stays hidden.
    const customer = seesCustomers(worker) ? await findCustomerNumbers(db, id) : undefined
    if (!customer) throw refuse(listUserMessages, 'not_found')
    const { name, phone, numbers } = customer
    const page = await readPage(db, services, { list: `texts of ${id}`, numbers, pageToken, showsCustomers: true })
    if (!page) throw refuse(listUserMessages, 'bad_token')
    return { ...page, name, phone }
  }),

  serve(sendMessage, async ({ body: { to, body }, db, now, worker, audit, publish, enqueue, services }) => {
    if (!services.texts) throw refuse(sendMessage, 'not_connected')
    if (!(await isKnownNumber(db, to))) throw refuse(sendMessage, 'unknown_number')
    if (await isSuppressed(db, 'text', to)) throw refuse(sendMessage, 'opted_out')
    const key = `text:${randomUUID()}`
    const text = {
      from_number: services.texts.number,
      to_number: to,
      body,
      worker_id: worker.workerId,
      outbox_key: key,
    }
    const [stored] = await insertOutgoing(db, [text], now)
    const row = stored && (await findText(db, stored.id))
    if (!row) throw new Error('A text was not stored.')
    enqueue({ channel: 'text', key, payload: { to, body }, about: `text ${row.id}: reply to a customer` })
    audit({ action: 'text_sent', subject: 'text', subjectId: row.id })
    publish('texts')
    return presentText(row, seesCustomers(worker))
  }),
]
