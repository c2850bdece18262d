import { readPreference, removePreference, savePreference } from '#platform/preferences.ts'
import { type Draft, storedDraft } from './campaign-draft.ts'

const keyOf = (workerId: number) => `draft.${workerId}.campaign`

/** The draft of a campaign that this worker left on this device. */
export function readKeptDraft(workerId: number): Partial<Draft> | undefined {
  const text = readPreference(keyOf(workerId))
  try {
    return text === null ? undefined : storedDraft(text)
  } catch {
    return undefined
  }
}

export const keepDraft = (workerId: number, draft: object) => savePreference(keyOf(workerId), JSON.stringify(draft))

export const forgetDraft = (workerId: number) => removePreference(keyOf(workerId))
