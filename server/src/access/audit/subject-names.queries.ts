import { type RawBuilder, sql } from 'kysely'
import type { AuditSubject } from '#platform/audit/audit-areas.ts'
import type { Db } from '#platform/db/db.ts'

type NamesOf = (ids: readonly string[]) => RawBuilder<unknown>

const named = (table: string, name: string): NamesOf => {
  const select = sql`select id::text as id, ${sql.raw(name)} as name from ${sql.ref(table)}`
  return (ids) => sql`${select} where id = any(${ids}::bigint[])`
}
const person = "first_name || ' ' || last_name"

/** What records are called, by kind. Other kinds have no name of their own. */
const nameSources: Partial<Readonly<Record<AuditSubject, NamesOf>>> = {
  api_key: named('api_keys', 'name'),
  business: named('businesses', 'name'),
  campaign: named('campaigns', 'name'),
  certification_type: named('certification_types', 'name'),
  customer: named('customers', person),
  lead: named('leads', `trim(${person})`),
  lesson: named('training_lessons', 'title'),
  saved_reply: named('saved_replies', 'name'),
  stretcher: named('stretchers', person),
  ticket: named('tickets', 'subject'),
  ticket_tag: named('ticket_tags', 'name'),
  worker: named('workers', 'name'),
  zone: named('zones', 'name'),
  course: (keys) =>
    sql`select course_key as id, title as name from training_courses where course_key = any(${keys}::text[])`,
  // Named by course and module: `anatomy/hips`.
  module: (keys) => sql`
    select c.course_key || '/' || m.module_key as id, m.title as name
    from training_courses c join training_modules m on m.course_id = c.id
    where c.course_key = any(select split_part(key, '/', 1) from unnest(${keys}::text[]) key)`,
  earner: (ids) => sql`
    select e.id::text as id, coalesce(s.first_name || ' ' || s.last_name, w.name) as name
    from earners e left join stretchers s on s.id = e.stretcher_id left join workers w on w.id = e.worker_id
    where e.id = any(${ids}::bigint[])`,
  certification: (ids) => sql`
    select c.id::text as id, t.name || ' of ' || u.first_name || ' ' || u.last_name as name
    from certifications c join certification_types t on t.id = c.type_id join customers u on u.id = c.customer_id
    where c.id = any(${ids}::bigint[])`,
  onsite_session: (ids) => sql`
    select s.id::text as id, b.name from onsite_sessions s join businesses b on b.id = s.business_id where s.id = any(${ids}::bigint[])`,
}

const isNumber = (id: string) => /^[1-9]\d{0,15}$/.test(id)

interface About {
  subject: string | null
  subject_id: string | null
}

export const subjectKey = ({ subject, subject_id }: About) => `${subject} ${subject_id}`

/** What the records of rows are called now, in one statement. Deleted records have no name. */
export async function findSubjectNames(db: Db, rows: readonly About[]): Promise<ReadonlyMap<string, string>> {
  const parts = [...Map.groupBy(rows, ({ subject }) => subject)].flatMap(([subject, ofKind]) => {
    const source = subject !== null && Object.hasOwn(nameSources, subject) && nameSources[subject as AuditSubject]
    const ids = ofKind.flatMap(({ subject_id }) =>
      subject_id !== null && (subject === 'course' || subject === 'module' || isNumber(subject_id)) ? subject_id : [],
    )
    return source && ids.length > 0
      ? [sql`select ${subject}::text as subject, n.id, n.name from (${source(ids)}) n`]
      : []
  })
  if (parts.length === 0) return new Map()
  const { rows: found } = await sql<{ subject: string; id: string; name: string }>`${sql.join(
    parts,
    sql` union all `,
  )}`.execute(db)
  return new Map(found.map(({ subject, id, name }) => [subjectKey({ subject, subject_id: id }), name]))
}
