import type { ItemError } from '@limber/contract/kit/batch.ts'

export type RejectedItem = { status: 'rejected'; errors: ItemError[] }

export const itemError = (path: string, code: string, text: string): ItemError => ({ path, code, text })
export const invalid = (path: string, text: string) => itemError(path, 'invalid', text)
export const required = (path: string) => itemError(path, 'required', 'is required')
export const reject = (...errors: ItemError[]): RejectedItem => ({ status: 'rejected', errors })
export const missing = (path: string, resource: string, id: string | number): ItemError => ({
  ...itemError(path, 'missing_reference', `There is no record ${id} in ${resource}.`),
  resource,
  external_id: String(id),
})
export const missingWorker = (path: string, email: string): ItemError => ({
  ...itemError(path, 'missing_reference', `No worker has the email ${email}.`),
  resource: 'workers',
  external_id: email,
})
