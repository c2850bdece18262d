import type { Work } from '#platform/db/work.ts'

/** The queued work that removes files from the storage. */
export const REMOVE_FILES = 'training-remove-files'

/** Where a file of training lies in the storage. */
export const storageKey = (name: string) => `training/${name}`

const AT_ONCE = 500

/** Removes files once the change is committed: should it fail, they are still there. */
export function removeFilesAfter({ enqueue }: Pick<Work, 'enqueue'>, names: readonly string[]) {
  for (let at = 0; at < names.length; at += AT_ONCE) {
    const batch = names.slice(at, at + AT_ONCE)
    enqueue({
      channel: 'job',
      key: `training-files:${batch[0]}`,
      payload: { name: REMOVE_FILES, data: { names: batch } },
      about: batch.length === 1 ? 'Remove a training file' : `Remove ${batch.length} training files`,
    })
  }
}
