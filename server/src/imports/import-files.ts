import type { Readable } from 'node:stream'
import type { Storage } from '#platform/storage/storage.ts'
import { UnreadableFile } from './file/decode-file.ts'

/** The storage key of an uploaded file. */
export const fileKey = (name: string) => `imports/${name}`

/** The file of an import that runs. */
export async function openFile(storage: Storage, { file_key }: { file_key: string | null }): Promise<Readable> {
  const file = file_key === null ? undefined : await storage.get(file_key)
  if (!file) throw new UnreadableFile('The file of this import was deleted. Upload it again.')
  return file
}
