import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress } from 'node:zlib'
import { type ArchivedFile, type ArchivedTable, type ArchiveHead, type ArchiveSummary, frame } from './archive.ts'
import type { BackupKeys } from './backup-keys.ts'
import { sealStream } from './sealing.ts'
import type { Vault } from './vault.ts'

const LEVEL = 3

/** The parts of an archive. Rows are read table by table, sequences after all rows. */
export interface ArchiveParts {
  head: ArchiveHead
  tables: readonly ArchivedTable[]
  rows(table: ArchivedTable, onEnd: (sum: ArchiveSummary['tables'][number]) => void): AsyncIterable<Buffer>
  sequences(): Promise<ArchiveSummary['sequences']>
  files: readonly ArchivedFile[]
}

async function* frames(parts: ArchiveParts, onSummary: (summary: ArchiveSummary) => void): AsyncGenerator<Buffer> {
  yield* frame('H', parts.head)
  const sums: ArchiveSummary['tables'] = []
  for (const table of parts.tables) {
    yield* frame('T', table)
    for await (const piece of parts.rows(table, (sum) => sums.push(sum))) yield* frame('D', piece)
    yield* frame('E', sums.at(-1) ?? {})
  }
  const summary = { tables: sums, sequences: await parts.sequences(), files: [...parts.files] }
  yield* frame('S', summary)
  onSummary(summary)
}

const isAbort = (error: unknown) =>
  error instanceof Error && 'code' in error && ['ERR_STREAM_PREMATURE_CLOSE', 'ABORT_ERR'].includes(String(error.code))

/** Compresses, encrypts and stores content. Throws the original error, not the aborts that follow it. */
export async function putSealed(
  { storage, prefix }: Vault,
  name: string,
  keys: BackupKeys,
  content: Readable,
  packed = true,
): Promise<number> {
  const { sealed, size } = sealStream(keys, name)
  // The promises below report errors. Without this listener, a late error would crash the process.
  sealed.on('error', () => {})
  const zstd = createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: packed ? LEVEL : 1 } })
  const ends = await Promise.allSettled([
    pipeline(content, zstd, sealed),
    storage.put(prefix + name, sealed, { type: 'application/octet-stream' }).catch((error) => {
      sealed.destroy(error)
      throw error
    }),
  ])
  const failures = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : []))
  if (failures.length > 0) {
    // The storage may have accepted a truncated file.
    await storage.delete(prefix + name).catch(() => {})
    throw failures.find((each) => !isAbort(each)) ?? failures[0]
  }
  return size()
}

/** Streams an archive into the vault. Returns its size and summary. */
export async function writeArchive(vault: Vault, file: string, keys: BackupKeys, parts: ArchiveParts) {
  let summary: ArchiveSummary | undefined
  const content = Readable.from(
    frames(parts, (found) => {
      summary = found
    }),
    { objectMode: false },
  )
  const size = await putSealed(vault, file, keys, content)
  if (!summary) throw new Error('The archive was not finished')
  return { size, summary }
}
