import type { Work } from '#platform/db/work.ts'

/** The queued job that deletes files from storage. */
export const REMOVE_FILES = 'training-remove-files'

/** The storage key of a training file. */
export const storageKey = (name: string) => `training/${name}`

const BATCH_SIZE = 500

/** Deletes files after the transaction commits. If it rolls back, the files stay. */
export function deleteFilesAfterCommit({ enqueue }: Pick<Work, 'enqueue'>, names: readonly string[]) {
  for (let at = 0; at < names.length; at += BATCH_SIZE) {
    const batch = names.slice(at, at + BATCH_SIZE)
    enqueue({
      channel: 'job',
      key: `training-files:${batch[0]}`,
      payload: { name: REMOVE_FILES, data: { names: batch } },
      about: batch.length === 1 ? 'Delete a training file' : `Delete ${batch.length} training files`,
    })
  }
}
