import type { OutboxMessage } from '#platform/db/work.ts'
import type { Job } from '#platform/jobs/jobs.ts'

const RUN_IMPORT = 'import'
const REMOVE_FILE = 'import-remove-file'

/** Starts the job after the transaction commits. */
export const runMessage = (id: number, now: Date, about: string): OutboxMessage => ({
  channel: 'job',
  key: `import-${id}-${now.getTime()}`,
  payload: { name: RUN_IMPORT, data: { id } },
  about,
})

export const removeFileMessage = (key: string): OutboxMessage => ({
  channel: 'job',
  key: `import-file:${key}`,
  payload: { name: REMOVE_FILE, data: { key } },
  about: 'Delete an imported file',
})

export const importJobs: readonly Job[] = [
  { name: RUN_IMPORT, run: async () => {} },
  { name: REMOVE_FILE, run: ({ storage }, data) => storage.delete(String(data.key)) },
]
