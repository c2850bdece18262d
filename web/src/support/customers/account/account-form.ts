import type { UserDetail } from '@limber/contract/support/customers/user.ts'

export interface AccountFormProps {
  user: UserDetail
  /** Back to the list of actions. */
  onClose: () => void
  /** Done: back to the customer. */
  onDone: () => void
}
