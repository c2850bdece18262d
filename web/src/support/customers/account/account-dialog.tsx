import type { UserDetail } from '@limber/contract/support/customers/user.ts'
import { Button } from '@mantine/core'
import { type ComponentType, useState } from 'react'
import { Dialog } from '#ui/dialog/dialog.tsx'
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
  form: ComponentType<AccountFormProps>
  isDestructive?: boolean
}

/** The actions available for this account. */
function actionsFor({ accountStatus }: UserDetail): Action[] {
  const { status, emailVerified, isErased, mergedInto, isStretcher, eraseBar } = accountStatus
  const exporting: Action = {
    title: 'Export data',
    about: 'Download all data of this customer as a file.',
    form: ExportForm,
  }
  if (isErased || mergedInto !== null) return [exporting]
  const actions: (Action | false)[] = [
    status === 'blocked'
      ? { title: 'Unblock', about: 'The customer can sign in and book again.', form: UnblockForm }
      : { title: 'Block', about: 'The customer can no longer sign in or book.', form: BlockForm, isDestructive: true },
    { title: 'Adjust credits', about: 'Add or remove credits. The ledger records the reason.', form: CreditsForm },
    {
      title: 'Correct contact',
      about: isStretcher ? 'Email and phone.' : 'Name, email and phone.',
      form: ContactForm,
    },
    !emailVerified && {
      title: 'Send verification email',
      about: 'Asks the customer to verify the address again.',
      form: VerificationForm,
    },
    { title: 'Merge duplicate', about: 'Moves all records of a second account into this one.', form: MergeForm },
    exporting,
    eraseBar === null && {
      title: 'Erase',
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
            <li key={action.title} className={styles.action}>
              <span className={styles.words}>{action.about}</span>
              <Button
                variant="default"
                className={styles.button ?? ''}
                {...(action.isDestructive ? { c: 'var(--red-text)' } : {})}
                onClick={() => setOpen(action)}
              >
                {action.title}
              </Button>
            </li>
          ))}
          {eraseBar && (
            <li className={styles.action}>
              <span className={styles.words}>{eraseConflictText[eraseBar]}</span>
            </li>
          )}
        </ul>
      </Dialog>
      {Form && <Form user={user} onClose={() => setOpen(undefined)} onDone={onClose} />}
    </>
  )
}
