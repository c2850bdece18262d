import { Resource, RowState } from '@limber/contract/imports/import-values.ts'
import { z } from 'zod'

/** URL parameters of the start of an import: the kind of record, or the list of past ones. */
export const ImportHomeSearch = z.object({
  kind: Resource.or(z.literal('')).catch(''),
  view: z.enum(['', 'past']).catch(''),
  state: z.string().max(20).catch(''),
})

export const steps = ['upload', 'columns', 'check', 'apply', 'result'] as const
export type Step = (typeof steps)[number]

/** URL parameters of one import. Without a step, its state decides. */
export const ImportSearch = z.object({
  step: z.enum(['', 'upload', 'columns', 'check']).catch(''),
  /** The key of the column map. */
  map: z.string().max(100).catch(''),
  /** Which rows are listed. */
  show: RowState.or(z.literal('')).catch(''),
  reason: z.string().max(300).catch(''),
})
export type ImportSearch = z.output<typeof ImportSearch>
