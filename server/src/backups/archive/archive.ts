import { z } from 'zod'
import { BackupError } from './backup-keys.ts'

/*
 * The content of a sealed file is a sequence of frames, each a letter, a length and bytes. H: header. For each table
 * T: start, D: chunks of rows in COPY format, E: end with count and hash. S: summary, always last.
 */

const Column = z.string().min(1)
const Partition = z.object({ of: z.string(), bound: z.string(), indexes: z.array(z.string()) })

/** A table with its columns and, for a partition, its parent. */
export const ArchivedTable = z.object({ name: z.string(), columns: z.array(Column), partition: Partition.nullable() })
export type ArchivedTable = z.infer<typeof ArchivedTable>

export const ArchiveHead = z.object({
  takenAt: z.iso.datetime(),
  product: z.string(),
  postgres: z.string(),
  /** Whether this is the sample company. */
  isSample: z.boolean(),
  /** The id of SECRET_KEY, which is needed to decrypt sealed columns. */
  secretKeyId: z.string(),
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
})
export type ArchiveHead = z.infer<typeof ArchiveHead>

const TableSum = z.object({ name: z.string(), rows: z.int(), bytes: z.int(), sha256: z.string() })
export type TableSum = z.infer<typeof TableSum>

const ArchivedFile = z.object({ key: z.string(), size: z.int(), sha256: z.string() })
export type ArchivedFile = z.infer<typeof ArchivedFile>

export const ArchiveSummary = z.object({
  tables: z.array(TableSum),
  sequences: z.array(z.object({ name: z.string(), last: z.string(), isCalled: z.boolean() })),
  files: z.array(ArchivedFile),
})
export type ArchiveSummary = z.infer<typeof ArchiveSummary>

const LETTERS = ['H', 'T', 'D', 'E', 'S'] as const
type Letter = (typeof LETTERS)[number]
export interface Frame {
  letter: Letter
  bytes: Buffer
}

const PREFIX = 5
// Chunks of rows are small, but the list of files can be long.
const MAX_FRAME = 256 * 1024 * 1024

export function frame(letter: Letter, content: Buffer | object): Buffer[] {
  const bytes = Buffer.isBuffer(content) ? content : Buffer.from(JSON.stringify(content))
  const prefix = Buffer.alloc(PREFIX)
  prefix.write(letter, 0, 'latin1')
  prefix.writeUInt32BE(bytes.length, 1)
  return [prefix, bytes]
}

const malformed = () => new BackupError('The backup is truncated or not in a format that this version of Limber reads.')

export async function* readFrames(stream: AsyncIterable<Buffer>): AsyncGenerator<Frame> {
  let waiting: Buffer[] = []
  let size = 0
  let wanted = PREFIX
  for await (const chunk of stream) {
    waiting.push(chunk)
    size += chunk.length
    if (size < wanted) continue
    let all = Buffer.concat(waiting, size)
    for (;;) {
      wanted = PREFIX
      if (all.length < PREFIX) break
      const letter = LETTERS.find((each) => each.charCodeAt(0) === all[0])
      const length = all.readUInt32BE(1)
      if (!letter || length > MAX_FRAME) throw malformed()
      wanted = PREFIX + length
      if (all.length < wanted) break
      yield { letter, bytes: all.subarray(PREFIX, wanted) }
      all = all.subarray(wanted)
    }
    waiting = [all]
    size = all.length
  }
  if (size > 0) throw malformed()
}

/** Parses the content of a frame, which must have the expected letter. */
export function parseFrame<S extends z.ZodType>(found: Frame | undefined, letter: Letter, shape: S): z.output<S> {
  if (found?.letter !== letter) throw malformed()
  const parsed = shape.safeParse(JSON.parse(found.bytes.toString()))
  if (!parsed.success) throw malformed()
  return parsed.data
}
