import { randomBytes } from 'node:crypto'
import type { NewFile } from './ticket-file.queries.ts'

/** The facts of a PDF file that is ready. */
export const makeFile = (overrides: Partial<NewFile> = {}): NewFile => ({
  name: randomBytes(16).toString('hex'),
  role: 'attachment',
  filename: 'receipt.pdf',
  mime_type: 'application/pdf',
  bytes: 1_000,
  width: null,
  height: null,
  content_id: null,
  state: 'ready',
  scanned_at: null,
  virus: null,
  ...overrides,
})
