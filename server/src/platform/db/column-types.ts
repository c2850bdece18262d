import type { ZoneGeometry } from '@limber/contract/businesses/zones/area.ts'
import type { TaskFigures } from '@limber/contract/growth/tasks/task.ts'
import type { PayoutCategory } from '@limber/contract/growth/values.ts'
import type { ColumnProfile, ImportCounts, ImportReason, ImportRow } from '@limber/contract/imports/import.ts'
import type { Audience } from '@limber/contract/support/notifications/notification.ts'
import type { PromiseDraft } from '@limber/contract/support/promises/promise.ts'
import type { MacroAction } from '@limber/contract/support/saved-replies/macro.ts'
import type { ContentData, MixedComponent } from '@limber/contract/training/lessons/content.ts'
import type { Answer, Question } from '@limber/contract/training/lessons/question.ts'
import type { Theme } from '@limber/contract/training/theme/theme.ts'
import type { ColumnType } from 'kysely'

/** A column that the database fills and that never changes. */
export type Fixed<T> = ColumnType<T, never, never>

/** The types of JSON columns. Areas add their own types by declaration merging. */
export interface JsonColumns {
  'audit_log.after': unknown
  'audit_log.before': unknown
  'audit_values.after': Record<string, unknown>
  'audit_values.before': Record<string, unknown>
  'campaign_marks.control': TaskFigures | null
  'campaign_marks.figures': TaskFigures
  'campaign_places.expected': TaskFigures
  'campaigns.custom_questions': unknown[]
  'campaigns.goals': unknown[]
  'campaigns.target_audience': Record<string, unknown>
  'city_task_marks.figures': TaskFigures
  'city_tasks.figures': TaskFigures
  'growth_places.payouts': Partial<Record<PayoutCategory, { total: string; count: number }>>
  /** When staff corrected a contact field, by its name. */
  'customers.corrected_at': Record<string, string>
  'health_states.facts': unknown
  'import_maps.columns': Record<string, string>
  'import_rows.before': Record<string, unknown>
  'import_rows.changes': ImportRow['changes']
  'imports.columns': Record<string, string>
  'imports.counts': Partial<ImportCounts>
  'imports.profile': ColumnProfile[]
  'imports.reasons': ImportReason[]
  'inbound_events.fields': unknown
  'installation.value': unknown
  'kept_counts.counts': unknown
  /** When staff corrected a contact field, by its name. */
  'leads.corrected_at': Record<string, string>
  'leads.answers': { name: string; value: string }[]
  'notifications.audience': Audience
  'payroll_checks.result': unknown
  'saved_replies.actions': MacroAction[]
  'promise_settings.holidays': PromiseDraft['holidays']
  'promise_settings.targets': PromiseDraft['targets']
  'promise_settings.week': PromiseDraft['week']
  'schedule_runs.result': unknown
  'training_attempts.answers': Record<string, Answer>
  'training_attempts.questions': Question[]
  'training_attempts.results': Record<string, boolean>
  'training_courses.theme': Theme
  'training_lessons.content': ContentData
  'training_lessons.kept_components': MixedComponent[]
  'webhook_deliveries.attempts': { at: string; status: number | null; duration_ms: number; error: string | null }[]
  'zones.geometry': ZoneGeometry
}

/** JSON is written as text, so that pg does not convert an array to a PostgreSQL array. */
export type Json<Name extends keyof JsonColumns, Empty extends null | undefined = never> = ColumnType<
  JsonColumns[Name] | Extract<Empty, null>,
  string | Empty,
  string | Extract<Empty, null>
>
