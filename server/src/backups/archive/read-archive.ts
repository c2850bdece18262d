import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { createZstdDecompress } from 'node:zlib'
import { ArchiveHead, type Frame, parseFrame, readFrames } from './archive.ts'
import { BackupError, type BackupKeys } from './backup-keys.ts'
import { HEADER_SIZE, NAMED_FORMAT, openStream, parseHeader } from './sealing.ts'
import { takenAtOf, type Vault } from './vault.ts'

/** Decrypts and decompresses a sealed file. A failure at any stage destroys the returned stream. */
export async function getSealed(
  { storage, prefix, location }: Vault,
  name: string,
  keys: BackupKeys,
): Promise<Readable> {
  const sealed = await storage.get(prefix + name)
  if (!sealed) throw new BackupError(`The file ${name} does not exist in ${location}.`)
  const [opened, content] = [openStream(keys, name), createZstdDecompress()]
  // The reader gets the error. Without this listener, an error before the first read would crash the process.
  content.on('error', () => {})
  sealed.on('error', (error) => content.destroy(error))
  opened.on('error', (error) => content.destroy(error))
  content.on('close', () => {
    sealed.destroy()
    opened.destroy()
  })
  return sealed.pipe(opened).pipe(content)
}

/** Reads the format and the key id, which are not encrypted. */
export async function readSealedHead({ storage, prefix, location }: Vault, file: string) {
  const begin = await storage.get(prefix + file, { start: 0, end: HEADER_SIZE - 1 })
  if (!begin) throw new BackupError(`The file ${file} does not exist in ${location}.`)
  const { format, keyId } = parseHeader(await buffer(begin))
  return { format, keyId }
}

/** A backup being read. `frames` follow the header. */
export interface OpenArchive {
  head: ArchiveHead
  /** Whether the file name is authenticated. In older backups it is not, so a rename may go unnoticed. */
  isNameSealed: boolean
  frames: AsyncIterator<Frame>
  close(): void
}

/** The name of an older backup is not authenticated, but its time must match the header. */
function checkUnsealedName(file: string, { takenAt }: ArchiveHead) {
  const named = takenAtOf(file)
  if (named && Math.floor(Date.parse(takenAt) / 1000) !== named.getTime() / 1000)
    throw new BackupError(
      `The file ${file} contains the snapshot of ${takenAt}. It was renamed or swapped with another file.`,
    )
}

/** Opens a backup and reads its header, so a wrong key or file fails immediately. */
export async function openArchive(vault: Vault, file: string, keys: BackupKeys): Promise<OpenArchive> {
  const isNameSealed = (await readSealedHead(vault, file)).format >= NAMED_FORMAT
  const content = await getSealed(vault, file, keys)
  const frames = readFrames(content as AsyncIterable<Buffer>)
  try {
    const first = await frames.next()
    const head = parseFrame(first.done ? undefined : first.value, 'H', ArchiveHead)
    if (!isNameSealed) checkUnsealedName(file, head)
    return { head, isNameSealed, frames, close: () => content.destroy() }
  } catch (error) {
    content.destroy()
    throw error
  }
}

export async function readArchiveHead(vault: Vault, file: string, keys: BackupKeys): Promise<ArchiveHead> {
  const { head, close } = await openArchive(vault, file, keys)
  close()
  return head
}
