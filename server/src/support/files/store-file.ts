import { randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { Services } from '#platform/services.ts'
import { describeError } from '#platform/telemetry/log.ts'
import { detectType, HEAD } from '#platform/uploads/detect-type.ts'
import { sanitizeFilename } from '#platform/uploads/file-kind.ts'
import { measureImage } from '#platform/uploads/image.ts'
import { ScannerError, scanContent } from '#platform/uploads/scan.ts'
import type { NewFile } from './ticket-file.queries.ts'

export type FileNeeds = Pick<Services, 'storage' | 'config' | 'clock' | 'log'>

/** The storage key of a ticket's file. */
export const fileKey = (name: string) => `support/${name}`

const shownImages = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp'])

/** The facts of a file that its content decides. `readAll` is called for images only. */
export async function inspectFile(head: Buffer, readAll: () => Promise<Buffer>) {
  const mime_type = await detectType(head)
  const size = shownImages.has(mime_type) ? await measureImage(await readAll()) : undefined
  return { mime_type, width: size?.width ?? null, height: size?.height ?? null }
}

type Verdict = Pick<NewFile, 'state' | 'scanned_at' | 'virus'>

/** Scans a file if a scanner is set up. Without a verdict, the file waits. */
export async function scanFile(
  { config, clock, log }: Pick<FileNeeds, 'config' | 'clock' | 'log'>,
  open: () => Promise<Readable | Buffer | undefined>,
): Promise<Verdict> {
  if (!config.scanner) return { state: 'ready', scanned_at: null, virus: null }
  try {
    const content = await open()
    if (content === undefined) throw new ScannerError('The file is missing from the storage.')
    const virus = await scanContent(config.scanner, content)
    return { state: virus === null ? 'ready' : 'infected', scanned_at: clock.now(), virus }
  } catch (error) {
    if (!(error instanceof ScannerError)) throw error
    log.warn('a file was not scanned', describeError(error))
    return { state: 'unscanned', scanned_at: null, virus: null }
  }
}

export interface IncomingFile {
  filename: string
  content: Buffer
  role: NewFile['role']
  contentId: string | null
}

/** What can be shown of a file that was not stored. */
const unstored = ({ filename, content, role, contentId }: IncomingFile, state: 'too_large' | 'infected'): NewFile => ({
  ...{ name: null, filename: sanitizeFilename(filename), mime_type: 'application/octet-stream', bytes: content.length },
  ...{ width: null, height: null, role, content_id: contentId, state, scanned_at: null, virus: null },
})

/** Puts a customer's file into the storage. An infected one is not stored. */
async function storeFile(services: FileNeeds, file: IncomingFile): Promise<NewFile> {
  const { content, filename, role, contentId } = file
  const verdict = await scanFile(services, async () => content)
  if (verdict.state === 'infected') return { ...unstored(file, 'infected'), ...verdict }
  const facts = await inspectFile(content.subarray(0, HEAD + 1), async () => content)
  const name = randomBytes(16).toString('hex')
  await services.storage.put(fileKey(name), content, { type: facts.mime_type, size: content.length })
  const safe = sanitizeFilename(filename)
  return { name, filename: safe, bytes: content.length, role, content_id: contentId, ...facts, ...verdict }
}

export interface FileLimits {
  bytes: number
  files: number
}

/** Stores the files of one email, up to its limits. What is beyond them is named and not stored. */
export async function storeFiles(
  services: FileNeeds,
  files: readonly IncomingFile[],
  limits: FileLimits,
): Promise<NewFile[]> {
  const stored: NewFile[] = []
  let bytes = 0
  for (const file of files.slice(0, limits.files)) {
    const fits = bytes + file.content.length <= limits.bytes
    if (fits) bytes += file.content.length
    stored.push(fits ? await storeFile(services, file) : unstored(file, 'too_large'))
  }
  return stored
}

/** Deletes files that got no record. */
export async function discardFiles({ storage }: Pick<FileNeeds, 'storage'>, files: readonly NewFile[]) {
  for (const { name } of files) if (name !== null) await storage.delete(fileKey(name))
}

export const readAll = (content: Readable) => buffer(content)
