import type { UserDetail } from '@limber/contract/support/customers/user.ts'

/** What every form of an account action is given. */
export interface AccountFormProps {
  user: UserDetail
  /** Back to all actions. */
  onClose: () => void
  /** It is done: back to the customer. */
  onDone: () => void
}
