import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { MAX_IMPORT_BYTES } from '@limber/contract/imports/import.ts'
import { type ColumnMap, type DateOrder, importFields } from '@limber/contract/imports/import-fields.ts'
import type { ImportResource } from '@limber/contract/imports/import-kinds.ts'
import { IMPORT_DAYS } from '@limber/contract/imports/import-values.ts'
import { DAY, shift } from '#platform/clock.ts'
import { runWork } from '#platform/db/work.ts'
import { UnreadableFile } from './file/decode-file.ts'
import { type FileFacts, inspectFile } from './file/inspect-file.ts'
import { countsOf } from './import.present.ts'
import { fileKey } from './import-files.ts'
import {
  findImport,
  findUnfinished,
  type ImportRecord,
  insertImport,
  removeImport,
  startState,
} from './imports.queries.ts'
import { matchByName, matchColumns } from './match-columns.ts'
import { readRefused } from './refused-rows.ts'
import type { ImportServices } from './run/import-target.ts'
import { isRunState } from './run/run.queries.ts'
import { Claimed, type ImportTargets, runImport } from './run/run-import.ts'

interface PathImport {
  resource: ImportResource
  path: string
  map?: ColumnMap | undefined
  /** The order of day and month, when the file leaves it open. */
  dates?: DateOrder | undefined
  source: string
  isDryRun: boolean
  /** Gets the lines that were not imported, the headers first. */
  onRefused?: ((line: string) => Promise<unknown>) | undefined
}

interface PathCounts {
  created: number
  updated: number
  unchanged: number
  skipped: number
  rejected: number
}

const actor = { call: 'limber import' }

/** The columns by the map or by their names; refuses dates that can be read in two ways. */
function findColumns({ resource, map, dates }: PathImport, facts: FileFacts): Record<string, string> {
  const headers = facts.columns.map(({ header }) => header)
  const named = [...matchByName(resource, headers)].map(([header, { path }]) => [header, path] as const)
  if (!map && named.length === 0)
    throw new UnreadableFile(
      `No column is known. Name the columns after the fields: ${importFields[resource].map(({ path }) => path).join(', ')}.`,
    )
  const columns: Record<string, string> = { ...(map?.columns ?? Object.fromEntries(named)) }
  for (const { header, place, field } of matchColumns(resource, headers, columns)) {
    const found = field.kind === 'moment' || field.kind === 'day' ? facts.columns[place]?.dates : undefined
    if (found?.order === 'unclear' && !dates && !map?.dates)
      throw new UnreadableFile(
        `${header} has dates such as ${found.example ?? ''} that can be read in two ways. Say which comes first: --dates mdy (month) or --dates dmy (day).`,
      )
  }
  return columns
}

async function store({ storage }: ImportServices, path: string) {
  const key = fileKey(`${randomUUID()}.csv`)
  const hash = createHash('sha256')
  async function* hashed() {
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
      hash.update(chunk)
      yield chunk
    }
  }
  await storage.put(key, Readable.from(hashed(), { objectMode: false }), { type: 'application/octet-stream' })
  return { key, digest: hash.digest('hex') }
}

/** Runs the step that an import waits for, here or, if it has it already, in another process. */
async function finish(services: ImportServices, targets: ImportTargets, id: number): Promise<ImportRecord> {
  for (;;) {
    try {
      await runImport(services, targets, id)
    } catch (error) {
      if (!(error instanceof Claimed)) throw error
      await setTimeout(500)
    }
    const row = await findImport(services.db, id)
    if (!row) throw new Error(`Import ${id} is gone`)
    if (row.state === 'failed') throw new UnreadableFile(row.error ?? 'The import failed.')
    if (!isRunState(row.state)) return row
  }
}

/** Imports a file of this machine as a person does on the screen: check, then apply. Without the apply in a dry run. */
export async function importFromPath(
  services: ImportServices,
  targets: ImportTargets,
  request: PathImport,
): Promise<PathCounts> {
  const { resource, path, source, isDryRun, onRefused } = request
  const found = await stat(path).catch(() => undefined)
  if (!found?.isFile()) throw new UnreadableFile(`There is no file ${path}.`)
  if (found.size > MAX_IMPORT_BYTES) throw new UnreadableFile('The file is larger than 200 MB. Split it and try again.')
  const facts = await inspectFile(async () => createReadStream(path))
  const columns = findColumns(request, facts)
  const { key, digest } = await store(services, path)
  const dates = request.dates ?? request.map?.dates ?? null
  const id = await runWork(services, actor, async ({ db, now }) => {
    const other = await findUnfinished(db, digest, resource)
    if (other !== undefined) throw new UnreadableFile(`Import ${other} of the same file is not finished.`)
    const made = await insertImport(db, {
      resource,
      source,
      file_name: path.split(/[/\\]/).at(-1) ?? path,
      file_key: key,
      file_bytes: found.size,
      file_digest: digest,
      encoding: facts.encoding,
      delimiter: facts.delimiter,
      row_count: facts.rows,
      profile: facts.columns,
      created_by: null,
      created_at: now,
    })
    await startState(db, made.id, 'checking', { columns, dates, source, total: facts.rows }, now)
    return made.id
  })
  let row = await finish(services, targets, id)
  const total = countsOf(row).create + countsOf(row).update
  if (!isDryRun && total > 0) {
    await runWork(services, actor, async ({ db, now }) => {
      const undo_until = shift(now, IMPORT_DAYS * DAY)
      await startState(db, id, 'applying', { tells_people: false, undo_until, total }, now)
    })
    row = await finish(services, targets, id)
  }
  if (onRefused)
    for await (const line of readRefused(services, row, ['rejected', 'changed_since', 'skipped'])) await onRefused(line)
  const { create, update, created, updated, unchanged, skipped, rejected, changed_since } = countsOf(row)
  if (isDryRun) {
    await removeImport(services.db, id)
    await services.storage.delete(key)
    return { created: create, updated: update, unchanged, skipped, rejected }
  }
  return { created, updated, unchanged, skipped, rejected: rejected + changed_since }
}
