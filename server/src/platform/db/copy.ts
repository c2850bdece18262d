import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'

type Value = string | number | bigint | boolean | Date | Buffer | null | undefined | object

const special = /[\\\t\n\r]/g
const escapes: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }
const escapeField = (text: string) => text.replace(special, (char) => escapes[char] ?? char)

function field(value: Value): string {
  if (value === null || value === undefined) return '\\N'
  if (typeof value === 'string') return escapeField(value)
  if (value instanceof Date) return value.toISOString()
  if (Buffer.isBuffer(value)) return `\\\\x${value.toString('hex')}`
  if (typeof value === 'object') return escapeField(JSON.stringify(value))
  return String(value)
}

const CHUNK = 500

function* lines(rows: Iterable<readonly Value[]>): Generator<string> {
  let chunk: string[] = []
  for (const row of rows) {
    chunk.push(row.map(field).join('\t'))
    if (chunk.length === CHUNK) {
      yield `${chunk.join('\n')}\n`
      chunk = []
    }
  }
  if (chunk.length > 0) yield `${chunk.join('\n')}\n`
}

/** Writes many rows with COPY. Objects become JSON. */
export async function copyRows(
  client: pg.ClientBase,
  table: string,
  columns: readonly string[],
  rows: Iterable<readonly Value[]>,
): Promise<void> {
  const target = client.query(copyFrom(`copy ${table} (${columns.join(', ')}) from stdin`))
  await pipeline(Readable.from(lines(rows)), target)
}
