import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import type { UserDetail } from '@limber/contract/support/customers/user.ts'
import {
  IconAddressBook,
  IconArrowsJoin,
  IconCoins,
  IconDownload,
  IconLock,
  IconLockOpen,
  IconMailCheck,
  IconTrash,
  type Icon as TablerIcon,
} from '@tabler/icons-react'
import { type ComponentType, useState } from 'react'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { Icon } from '#ui/layout/icon.tsx'
import styles from './account-dialog.module.css'
import type { AccountFormProps } from './account-form.ts'
import { BlockForm, UnblockForm, VerificationForm } from './account-forms.tsx'
import { ContactForm } from './contact-form.tsx'
import { CreditsForm } from './credits-form.tsx'
import { EraseForm } from './erase-form.tsx'
import { ExportForm } from './export-form.tsx'
import { MergeForm } from './merge-form.tsx'

interface Action {
  title: string
  about: string
  icon: TablerIcon
  /** How the account stands in this respect. */
  state?: string
  form: ComponentType<AccountFormProps>
  isDestructive?: boolean
}

/** The actions available for this account, those that take something away last. */
function actionsFor({ accountStatus, engagement: { credits } }: UserDetail): Action[] {
  const { status, emailVerified, isErased, mergedInto, isStretcher, eraseBar } = accountStatus
  const exporting: Action = {
    title: 'Export data',
    icon: IconDownload,
    about: 'Download all data of this customer as a file.',
    form: ExportForm,
  }
  if (isErased || mergedInto !== null) return [exporting]
  const unblocking: Action = {
    title: 'Unblock',
    about: 'The customer can sign in and book again.',
    icon: IconLockOpen,
    state: 'Blocked',
    form: UnblockForm,
  }
  const blocking: Action = {
    title: 'Block',
    about: 'The customer can no longer sign in or book.',
    icon: IconLock,
    form: BlockForm,
    isDestructive: true,
  }
  const actions: (Action | false)[] = [
    status === 'blocked' && unblocking,
    {
      title: 'Adjust credits',
      about: 'Add or remove credits. The ledger records the reason.',
      icon: IconCoins,
      state: pluralize(credits, 'credit'),
      form: CreditsForm,
    },
    {
      title: 'Correct contact',
      icon: IconAddressBook,
      about: isStretcher ? 'Email and phone.' : 'Name, email and phone.',
      form: ContactForm,
    },
    !emailVerified && {
      title: 'Send verification email',
      icon: IconMailCheck,
      about: 'Asks the customer to verify the address again.',
      form: VerificationForm,
    },
    {
      title: 'Merge duplicate',
      about: 'Moves all records of a second account into this one.',
      icon: IconArrowsJoin,
      form: MergeForm,
    },
    exporting,
    status !== 'blocked' && blocking,
    eraseBar === null && {
      title: 'Erase',
      icon: IconTrash,
      about: 'Erases all personal data. This cannot be undone.',
      form: EraseForm,
      isDestructive: true,
    },
  ]
  return actions.filter((action) => action !== false)
}

/** Shown in place of the Erase button. */
const eraseConflictText = {
  has_worked: 'A stretcher who has worked here cannot be erased. Payroll and tax records must keep the name.',
  is_stretcher: 'Deactivate the stretcher in Stretcher Management before you erase this account.',
}

function ActionRow({ action, onOpen }: { action: Action; onOpen: () => void }) {
  const { title, about, icon, state, isDestructive } = action
  return (
    <li>
      <button type="button" className={styles.action} data-destructive={isDestructive || undefined} onClick={onOpen}>
        <Icon of={icon} />
        <span className={styles.title}>{title}</span>
        <span className={styles.state}>{state}</span>
        <span className={styles.about}>{about}</span>
      </button>
    </li>
  )
}

/** All account actions. Each requires a reason for the audit log. */
export default function AccountDialog({ user, onClose }: Omit<AccountFormProps, 'onDone'>) {
  const [open, setOpen] = useState<Action>()
  const Form = open?.form
  const { eraseBar } = user.accountStatus
  return (
    <>
      <Dialog
        isOpen
        onClose={onClose}
        title="Account actions"
        context={`${user.personalInfo.name}, ${user.personalInfo.email}`}
        size={520}
      >
        <ul className={styles.actions}>
          {actionsFor(user).map((action) => (
            <ActionRow key={action.title} action={action} onOpen={() => setOpen(action)} />
          ))}
          {eraseBar && (
            <li className={styles.closed}>
              <Icon of={IconTrash} />
              {eraseConflictText[eraseBar]}
            </li>
          )}
        </ul>
      </Dialog>
      {Form && <Form user={user} onClose={() => setOpen(undefined)} onDone={onClose} />}
    </>
  )
}
