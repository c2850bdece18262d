export interface Breach {
  line: number
  problem: string
}

interface Statement {
  text: string
  line: number
}

/** How a migration begins whose statements run one by one. Each must do no harm when it runs again. */
const ALONE = /^-- outside a transaction\b/

const VOLATILE = /default\s+\(?\s*(now|clock_timestamp|random|gen_random_uuid|nextval|statement_timestamp)\b/

/** The statements of a migration, without comments and in lower case. Bodies of functions are left empty. */
function statementsOf(sql: string): Statement[] {
  const keepLines = (text: string) => text.replace(/[^\n]/g, ' ')
  const plain = sql
    .replace(/--[^\n]*/g, keepLines)
    .replace(/\/\*[\s\S]*?\*\//g, keepLines)
    .replace(/\$(\w*)\$[\s\S]*?\$\1\$/g, keepLines)
    .replace(/'(?:[^']|'')*'/g, (text) => `'${keepLines(text.slice(1, -1))}'`)
    .toLowerCase()
  const found: Statement[] = []
  let at = 0
  for (const part of plain.split(';')) {
    const start = at + part.search(/\S|$/)
    at += part.length + 1
    const text = part.trim().replace(/\s+/g, ' ')
    if (text) found.push({ text, line: plain.slice(0, start).split('\n').length })
  }
  return found
}

const nameIn = (pattern: RegExp, text: string) => pattern.exec(text)?.[1]?.replace(/^public\./, '')

/** What one part of `alter table` does to a table in use. */
function problemOfChange(change: string): string | undefined {
  if (/^add (column )?(if not exists )?\w+ .*\bnot null\b/.test(change) && !/\bdefault\b|\bgenerated\b/.test(change))
    return 'a required column needs a default, because processes of the last release do not write it'
  if (/^add (column )?/.test(change) && VOLATILE.test(change))
    return 'this default rewrites the table: add the column without it, and fill it in batches'
  if (/^add (column )?.*\bgenerated always as\b.*\bstored\b/.test(change))
    return 'a stored generated column rewrites the table: fill a plain column in batches'
  if (
    /^drop (column )?(?!constraint\b|default\b|not null\b|expression\b)/.test(change) &&
    !/^drop constraint\b/.test(change)
  )
    return 'processes of the last release still use the column: drop it in a later release'
  if (/^rename\b/.test(change)) return 'processes of the last release use the old name: add a new column instead'
  if (/^alter (column )?\w+ (set data )?type\b/.test(change))
    return 'a change of type rewrites the table: add a column, fill it in batches, and switch'
  if (/^alter (column )?\w+ set not null\b/.test(change))
    return 'this scans the table under a lock: add a check constraint as not valid, and validate it in a later migration'
  if (/^add constraint \w+ (check|foreign key)\b/.test(change) && !/\bnot valid$/.test(change))
    return 'this scans the table under a lock: add the constraint as not valid, and validate it in a later migration'
  if (/^add (constraint \w+ )?(unique|primary key|exclude)\b/.test(change) && !/\busing index\b/.test(change))
    return 'this builds an index under a lock: create it concurrently, then add the constraint using it'
  return undefined
}

/** Splits at commas outside parentheses. */
function changesOf(text: string): string[] {
  const parts: string[] = []
  let depth = 0
  let part = ''
  for (const char of text) {
    if (char === '(') depth += 1
    if (char === ')') depth -= 1
    if (char === ',' && depth === 0) {
      parts.push(part.trim())
      part = ''
    } else part += char
  }
  return [...parts, part.trim()]
}

function problemsOf({ text }: Statement, isNew: (table: string | undefined) => boolean, isAlone: boolean): string[] {
  if (/^create (unique )?index\b/.test(text)) {
    const isConcurrent = /\bindex concurrently\b/.test(text)
    if (isConcurrent && !isAlone)
      return ['begin the file with "-- outside a transaction" to create an index concurrently']
    if (isConcurrent) return /\bif not exists\b/.test(text) ? [] : ['write "if not exists", so that it can run again']
    return isNew(nameIn(/\bon (?:only )?([\w.]+)/, text))
      ? []
      : ['this blocks writes while it builds: create the index concurrently']
  }
  if (
    isAlone &&
    !/\bif (not )?exists\b|^alter table .* validate constraint\b|^drop index concurrently if exists\b/.test(text)
  )
    return ['outside a transaction, each statement must do no harm when it runs again']
  const altered = nameIn(/^alter table (?:if exists )?(?:only )?([\w.]+)/, text)
  if (altered && !isNew(altered)) {
    const changes = text.replace(/^alter table (?:if exists )?(?:only )?[\w.]+ /, '')
    return changesOf(changes).flatMap((change) => problemOfChange(change) ?? [])
  }
  if (/^(drop table|drop view|alter view \S+ rename)\b/.test(text))
    return ['processes of the last release still use it: drop it in a later release']
  const filled = nameIn(/^(?:update|delete from) (?:only )?([\w.]+)/, text)
  if (filled && !isNew(filled)) return ['this changes all rows at once: do it in batches, in a job']
  if (/^(lock table|vacuum full|cluster|reindex (?!.*concurrently))\b/.test(text))
    return ['this locks a table for long']
  return []
}

/** What in a migration would disturb processes of the release before, or lock a table for long. */
export function breachesOf(sql: string): Breach[] {
  const statements = statementsOf(sql)
  const created = new Set(
    statements.flatMap(({ text }) => nameIn(/^create (?:unlogged )?table (?:if not exists )?([\w.]+)/, text) ?? []),
  )
  const isNew = (table: string | undefined) => table !== undefined && created.has(table)
  const isAlone = ALONE.test(sql)
  return statements.flatMap((statement) =>
    problemsOf(statement, isNew, isAlone).map((problem) => ({ line: statement.line, problem })),
  )
}
