import type { TicketFile } from '@limber/contract/support/files/ticket-file.ts'
import { sql } from 'kysely'
import type { FileRow } from './ticket-file.queries.ts'

export const presentFile = (row: FileRow): TicketFile => ({
  id: row.id,
  filename: row.filename,
  type: row.mime_type,
  bytes: row.bytes,
  width: row.width,
  height: row.height,
  role: row.role,
  state: row.state,
})

/** The same from the database, for the files of message `m`. */
export const filesJson = sql`(
  select coalesce(json_agg(json_build_object('id', f.id, 'filename', f.filename, 'type', f.mime_type, 'bytes', f.bytes,
    'width', f.width, 'height', f.height, 'role', f.role, 'state', f.state) order by f.id), '[]')
  from ticket_files f where f.message_id = m.id)`
