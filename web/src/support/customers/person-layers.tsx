import type { UserDetail } from '@limber/contract/support/customers/user.ts'
import { lazy } from 'react'
import type { UserSearch } from './user-search.ts'

const NotesDialog = lazy(() => import('./notes-dialog.tsx'))
const AccountDialog = lazy(() => import('./account/account-dialog.tsx'))
const CreditsForm = lazy(async () => ({ default: (await import('./account/credits-form.tsx')).CreditsForm }))
const UnblockForm = lazy(async () => ({ default: (await import('./account/account-forms.tsx')).UnblockForm }))
const TextDialog = lazy(() => import('../texts/text-dialog.tsx'))

interface Props {
  user: UserDetail
  view: UserSearch['view']
  /** How many credits to begin with. */
  amount: number
  isClosed: boolean
  onClose: () => void
}

/** The dialogs on top of a customer. */
export default function PersonLayers({ user, view, amount, isClosed, onClose }: Props) {
  const { id, name, phone } = user.personalInfo
  const form = { user, onClose, onDone: onClose }
  switch (view) {
    case 'notes':
      return <NotesDialog id={id} name={name} isClosed={isClosed} onClose={onClose} />
    case 'account':
      return <AccountDialog user={user} onClose={onClose} />
    case 'credits':
      return isClosed ? null : <CreditsForm {...form} amount={amount} />
    case 'unblock':
      return user.accountStatus.status === 'blocked' && !isClosed ? <UnblockForm {...form} /> : null
    case 'text':
      return phone && !isClosed ? <TextDialog name={name} phone={phone} onClose={onClose} /> : null
    case '':
      return null
  }
}
