/** Writes the types of all tables from a freshly migrated database: `npm run db:types`. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { startTestPostgres } from '../server/src/embedded/for-tests.ts'
import { migrate } from '../server/src/platform/db/migrate.ts'
import { silentLog } from '../server/src/platform/telemetry/log.ts'

export const SCHEMA_FILE = join(import.meta.dirname, '../server/src/platform/db/schema.ts')

interface Column {
  table: string
  column: string
  type: string
  is_array: boolean
  is_nullable: boolean
  has_default: boolean
  /** Filled by the database: an identity or a generated column. */
  is_fixed: boolean
  /** Definitions of its check constraints. */
  checks: string[]
}

const COLUMNS = `
  select c.relname as table, a.attname as column, coalesce(e.typname, t.typname) as type, e.oid is not null as is_array,
    not a.attnotnull as is_nullable, a.atthasdef as has_default, a.attidentity <> '' or a.attgenerated <> '' as is_fixed,
    array(select pg_get_constraintdef(k.oid) from pg_constraint k
      where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum] order by k.conname) as checks
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  join pg_type t on t.oid = a.atttypid left join pg_type e on e.oid = t.typelem and t.typcategory = 'A'
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
  order by c.relname, a.attnum`

/** As db.ts reads them: dates and money are strings, a bigint is a number. */
const types: Readonly<Record<string, string>> = {
  bool: 'boolean',
  bytea: 'Buffer',
  cidr: 'string',
  date: 'string',
  float4: 'number',
  float8: 'number',
  inet: 'string',
  int2: 'number',
  int4: 'number',
  int8: 'number',
  numeric: 'string',
  text: 'string',
  timestamptz: 'Date',
  uuid: 'string',
  xid8: 'string',
}

/** The values that a check constraint allows, as a union. */
function unionOf({ checks }: Column): string | undefined {
  for (const check of checks) {
    const list = /^CHECK \(\(+\w+ (?:= ANY|<@) \(?ARRAY\[('[^\]]*)\]\)*$/.exec(check)?.[1]
    if (list) return list.replaceAll(/::\w+/g, '').split(', ').join(' | ')
  }
  return undefined
}

function typeOf(column: Column): string {
  const { table, column: name, type, is_array, is_nullable, has_default, is_fixed } = column
  const orNull = is_nullable ? ' | null' : ''
  if (type === 'jsonb') return `Json<'${table}.${name}'${is_nullable ? ', null' : has_default ? ', undefined' : ''}>`
  const base = unionOf(column) ?? types[type]
  if (!base) throw new Error(`${table}.${name} has the type ${type}. Add it to "types" in scripts/db-types.ts.`)
  const one = is_array ? (base.includes(' ') ? `(${base})[]` : `${base}[]`) : base
  if (is_fixed) return `Fixed<${one}${orNull}>`
  return has_default && !is_nullable ? `Generated<${one}>` : `${one}${orNull}`
}

/** The types of all tables of a migrated database. */
export async function readSchema(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<Column>(COLUMNS)
    const tables = Map.groupBy(rows, ({ table }) => table)
    const json = rows.filter(({ type }) => type === 'jsonb')
    const parts = [...tables].map(([table, columns]) =>
      [`  ${table}: {`, ...columns.map((column) => `    ${column.column}: ${typeOf(column)}`), '  }'].join('\n'),
    )
    return `// Written by \`npm run db:types\` from the migrations. Do not edit.
import type { Generated } from 'kysely'
import type { Fixed, Json } from './column-types.ts'

/** The columns that hold JSON; column-types.ts says what. */
export type JsonName =
${json.map(({ table, column }) => `  | '${table}.${column}'`).join('\n')}

/** All tables, as the migrations leave them. */
export interface Tables {
${parts.join('\n')}
}
`
  } finally {
    await client.end()
  }
}

if (import.meta.main) {
  const { adminUrl, stop } = await startTestPostgres()
  try {
    await migrate(adminUrl, silentLog)
    await writeFile(SCHEMA_FILE, await readSchema(adminUrl))
  } finally {
    await stop()
  }
}
