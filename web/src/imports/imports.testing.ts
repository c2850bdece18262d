import {
  type ImportColumn,
  type ImportColumns,
  type ImportDetail,
  type ImportRow,
  listImportRows,
  readImport,
  readImportColumns,
} from '@limber/contract/imports/import.ts'
import { paginate } from '@limber/contract/kit/page.ts'
import { FakeServer } from '#platform/testing/testing.tsx'

const counts = {
  create: 288,
  update: 3,
  unchanged: 0,
  skipped: 1,
  rejected: 2,
  changed_since: 0,
  created: 0,
  updated: 0,
  undone: 0,
  kept: 0,
  values: 4,
}

export const makeImport = (more: Partial<ImportDetail> = {}): ImportDetail => ({
  id: 7,
  resource: 'customers',
  source: 'import',
  state: 'uploaded',
  file: { name: 'clients.csv', bytes: 18_400, rows: 300, encoding: 'utf-8', delimiter: ',', is_kept: true },
  progress: { done: 0, total: 0 },
  counts: { ...counts, create: 0, update: 0, skipped: 0, rejected: 0, values: 0 },
  error: null,
  tells_people: false,
  created_by: 'Priya Raman',
  created_at: '2026-11-17T18:00:00.000Z',
  started_at: null,
  checked_at: null,
  applied_at: null,
  undone_at: null,
  undo_until: null,
  columns: null,
  dates: null,
  reasons: [],
  same_file: null,
  ...more,
})

export const makeChecked = (more: Partial<ImportDetail> = {}): ImportDetail =>
  makeImport({
    state: 'checked',
    counts,
    columns: { ClientID: 'external_id', Email: 'email' },
    started_at: '2026-11-17T18:01:00.000Z',
    checked_at: '2026-11-17T18:01:14.000Z',
    reasons: [
      { state: 'rejected', reason: 'Email is not valid', count: 1 },
      { state: 'rejected', reason: 'Joined is not a date', count: 1 },
      { state: 'skipped', reason: 'Same email as an earlier line', count: 1 },
    ],
    ...more,
  })

export const makeApplied = (more: Partial<ImportDetail> = {}): ImportDetail =>
  makeChecked({
    state: 'applied',
    counts: { ...counts, create: 288, update: 2, created: 288, updated: 2, changed_since: 1 },
    applied_at: '2026-11-17T18:02:57.000Z',
    started_at: '2026-11-17T18:02:00.000Z',
    undo_until: '2026-11-24T18:02:57.000Z',
    ...more,
  })

export const makeColumn = (header: string, field: string | null, more: Partial<ImportColumn> = {}): ImportColumn => ({
  header,
  samples: ['one', 'two'],
  filled: 1,
  field,
  found_by: field ? 'map' : null,
  dates: null,
  ...more,
})

export const makeColumns = (more: Partial<ImportColumns> = {}): ImportColumns => ({
  columns: [
    makeColumn('ClientID', 'external_id'),
    makeColumn('Email', 'email', { samples: ['maria@example.com'], filled: 0.944 }),
    makeColumn('Custom 3', null, { samples: ['VIP'], filled: 0.03 }),
  ],
  map: 'mindbody-clients',
  dates: 'mdy',
  maps: [
    { key: 'mindbody-clients', label: 'Mindbody clients', matches: 2, saved_by: null, saved_at: null },
    { key: 'saved-4', label: 'Our list', matches: 0, saved_by: 'Marcus Bell', saved_at: '2026-11-03T18:00:00.000Z' },
  ],
  ...more,
})

export const makeRow = (more: Partial<ImportRow> = {}): ImportRow => ({
  line: 12,
  state: 'rejected',
  outcome: null,
  subject: 'Trevor Cooper',
  record_id: null,
  reason: 'Email is not valid',
  detail: 'The part after @ has no dot.',
  field: 'Email',
  value: 'tcooper97@example',
  changes: [],
  ...more,
})

export const rows = (...list: ImportRow[]) => ({ rows: list, pagination: paginate(1, 10, list.length) })

const rowOf: Partial<Record<string, ImportRow>> = {
  create: makeRow({ line: 2, state: 'create', subject: 'Perla Torres', reason: null, detail: null, value: null }),
  update: makeRow({
    line: 17,
    state: 'update',
    subject: 'Jazmín Reyes',
    record_id: 31,
    reason: null,
    detail: null,
    value: null,
    changes: [{ label: 'Phone', before: '(951) 555-0119', after: '(951) 555-0142' }],
  }),
  skipped: makeRow({
    line: 41,
    state: 'skipped',
    subject: 'Andrew Santos',
    detail: 'Same email as line 40.',
    value: null,
  }),
  rejected: makeRow(),
  changed_since: makeRow({
    line: 18,
    state: 'changed_since',
    subject: 'Hye-jin Park',
    record_id: 32,
    detail: 'Kenji Morales changed the phone.',
    value: null,
  }),
}

/** A server with one import in the given state. */
export const serveImport = (one: ImportDetail, columns: ImportColumns = makeColumns()) =>
  new FakeServer()
    .answer(readImport, one)
    .answer(readImportColumns, columns)
    .answer(listImportRows, ({ query: { state = 'rejected' } }) => {
      const row = rowOf[state]
      return rows(...(row ? [row] : []))
    })
