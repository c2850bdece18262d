import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { createZstdDecompress } from 'node:zlib'
import { ArchiveHead, type Frame, parseFrame, readFrames } from './archive.ts'
import { BackupError, type BackupKeys } from './backup-keys.ts'
import { HEAD, NAMED, opening, readHead } from './sealing.ts'
import { takenAtOf, type Vault } from './vault.ts'

/** Opens and unpacks a sealed file of the vault. A failure anywhere ends the stream that is handed out. */
export async function getSealed({ storage, prefix, place }: Vault, name: string, keys: BackupKeys): Promise<Readable> {
  const sealed = await storage.get(prefix + name)
  if (!sealed) throw new BackupError(`The file ${name} does not exist in ${place}.`)
  const [opened, content] = [opening(keys, name), createZstdDecompress()]
  // Whoever reads learns of a failure; one that comes before anybody reads must not end the process.
  content.on('error', () => {})
  sealed.on('error', (error) => content.destroy(error))
  opened.on('error', (error) => content.destroy(error))
  content.on('close', () => {
    sealed.destroy()
    opened.destroy()
  })
  return sealed.pipe(opened).pipe(content)
}

/** The format of a backup and the id of its key; both stand unencrypted at its beginning. */
export async function readSealedHead({ storage, prefix, place }: Vault, file: string) {
  const begin = await storage.get(prefix + file, { start: 0, end: HEAD - 1 })
  if (!begin) throw new BackupError(`The file ${file} does not exist in ${place}.`)
  const { format, keyId } = readHead(await buffer(begin))
  return { format, keyId }
}

/** A backup being read: what it says of itself at its beginning, and the frames that follow. */
export interface OpenArchive {
  head: ArchiveHead
  /** The seal covers the name. Backups made before it did can be restored, but a renamed one may go unnoticed. */
  isNameSealed: boolean
  frames: AsyncIterator<Frame>
  close(): void
}

/** The name of an older backup is not sealed, but says when it was taken, and so does its head. */
function checkUnsealedName(file: string, { takenAt }: ArchiveHead) {
  const named = takenAtOf(file)
  if (named && Math.floor(Date.parse(takenAt) / 1000) !== named.getTime() / 1000)
    throw new BackupError(
      `The file ${file} contains the snapshot of ${takenAt}. It was renamed or swapped with another file.`,
    )
}

/** Opens a backup and reads its head: a wrong key, or a file that is none, is known at once. */
export async function openArchive(vault: Vault, file: string, keys: BackupKeys): Promise<OpenArchive> {
  const isNameSealed = (await readSealedHead(vault, file)).format >= NAMED
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

/** What a backup says of itself at its beginning. */
export async function readArchiveHead(vault: Vault, file: string, keys: BackupKeys): Promise<ArchiveHead> {
  const { head, close } = await openArchive(vault, file, keys)
  close()
  return head
}
