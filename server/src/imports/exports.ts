import { exportImportRows, exportImports } from '@limber/contract/imports/import.ts'
import { exporting, NO_COLUMN } from '#platform/exports/export.ts'

export const importsExports = [
  exporting(exportImports, {
    rows: ({ imports }) => imports,
    columns: {
      id: 'ID',
      resource: 'Records',
      source: 'Source',
      state: 'State',
      file: [
        ['File', ({ name }) => name],
        ['Bytes', ({ bytes }) => bytes],
        ['Rows', ({ rows }) => rows],
        ['Encoding', ({ encoding }) => encoding],
        ['Delimiter', ({ delimiter }) => ({ ',': 'comma', ';': 'semicolon', '\t': 'tab' })[delimiter]],
      ],
      progress: NO_COLUMN,
      counts: [
        ['Created', ({ created }) => created],
        ['Updated', ({ updated }) => updated],
        ['Unchanged', ({ unchanged }) => unchanged],
        ['Skipped', ({ skipped }) => skipped],
        ['Rejected', ({ rejected }) => rejected],
        ['Changed since the check', ({ changed_since }) => changed_since],
        ['Undone', ({ undone }) => undone],
        ['Kept', ({ kept }) => kept],
      ],
      error: 'Error',
      tells_people: 'Tells people',
      created_by: 'Uploaded by',
      created_at: 'Uploaded',
      started_at: 'Started',
      checked_at: 'Checked',
      applied_at: 'Applied',
      undone_at: 'Undone at',
      undo_until: 'Undo until',
    },
  }),
  exporting(exportImportRows, {
    rows: ({ rows }) => rows,
    columns: {
      line: 'Line',
      state: 'State',
      outcome: 'Outcome',
      subject: 'Record',
      record_id: 'Record ID',
      reason: 'Reason',
      detail: 'Detail',
      field: 'Field',
      value: 'Value',
      changes: [
        [
          'Changes',
          (changes) =>
            changes.map(({ label, before, after }) => `${label}: ${before ?? ''} → ${after ?? ''}`).join('; '),
        ],
      ],
    },
  }),
]
