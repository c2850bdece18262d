import { z } from 'zod'
import { importResources } from './import-kinds.ts'

export const Resource = z.enum(importResources)

/** The order of day and month in dates such as 03/04/2025. */
export const Dates = z.enum(['mdy', 'dmy'])

/** The field of each column, by its header. A column that is not named is not imported. */
export const FieldsByHeader = z
  .record(z.string().min(1).max(500), z.string().min(1).max(100))
  .refine((columns) => Object.keys(columns).length <= 500, 'must have at most 500 columns')

export const importStates = [
  'uploaded',
  'checking',
  'checked',
  'applying',
  'applied',
  'canceled',
  'failed',
  'undoing',
  'undone',
] as const
export const ImportState = z.enum(importStates)
export type ImportState = z.infer<typeof ImportState>

/** What the check plans for a row. `changed_since`: it was planned, but its record changed before it was applied. */
export const rowStates = ['create', 'update', 'unchanged', 'skipped', 'rejected', 'changed_since'] as const
export const RowState = z.enum(rowStates)
export type RowState = z.infer<typeof RowState>

/** What became of a planned row. `kept`: an undo left it, because its record changed after the import. */
export const RowOutcome = z.enum(['applied', 'undone', 'kept'])
export type RowOutcome = z.infer<typeof RowOutcome>

/** Applying a plan with more rows than this requires a recent passkey confirmation. */
export const PASSKEY_ABOVE = 100

/** How long an import can be undone, and its file and rows are kept. */
export const IMPORT_DAYS = 7
