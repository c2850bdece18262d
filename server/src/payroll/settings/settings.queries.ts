import type { Db, Row } from '#platform/db/db.ts'
import type { SettingsRow } from '../audit/audit.queries.ts'

export type SettingsHistoryRow = SettingsRow & { worker_name: string | null }

/** Every settings change in order of effective date. */
export const findSettingsHistory = (db: Db): Promise<SettingsHistoryRow[]> =>
  db
    .selectFrom('payroll_settings as s')
    .leftJoin('workers as w', 'w.id', 's.worker_id')
    .selectAll('s')
    .select('w.name as worker_name')
    .orderBy('s.effective_from')
    .orderBy('s.version')
    .execute()

interface NewSettings extends Omit<Row<'payroll_settings'>, 'version' | 'worker_id'> {
  worker_id: number
}

export const insertSettings = (db: Db, row: NewSettings) =>
  db.insertInto('payroll_settings').values(row).returning('version').executeTakeFirstOrThrow()
