import type { ReplyOf } from '@limber/contract/kit/call.ts'
import { pickFields } from '@limber/contract/kit/fields.ts'
import { formatPhone } from '@limber/contract/kit/formats/numbers.ts'
import { contactFields, correctContact, type readContact } from '@limber/contract/support/customers/account.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { TextSkeleton } from '#ui/feedback/skeleton.tsx'
import { fieldFormatters } from '#ui/form/field-formatters.ts'
import { FieldRow, TextField } from '#ui/form/fields.tsx'
import { useConflict } from '#ui/form/use-conflict.tsx'
import { phoneNumberIn } from '#ui/format/phone-number.ts'
import { toastUndo } from '#ui/history/undo-toast.ts'
import { contactQuery, useCorrectContact } from './account.api.ts'
import type { AccountFormProps } from './account-form.ts'
import { ReasonField } from './reason-field.tsx'

type Contact = ReplyOf<typeof readContact>

// Accepts any notation; text that is not a number is refused unchanged.
const AnyPhone = z
  .string()
  .transform((text) => phoneNumberIn(text) ?? text)
  .pipe(correctContact.body.shape.phone.unwrap())
const Fields = correctContact.body.omit({ version: true }).extend({ phone: AnyPhone.nullable().default(null) })
type Fields = z.infer<typeof Fields>

const TITLE = 'Correct contact'

const fieldsOf = (contact: Contact): Fields => ({ ...pickFields(contactFields, contact), reason: '' })

interface FormProps extends Omit<AccountFormProps, 'user'> {
  id: number
  contact: Contact
  isStretcher: boolean
}

const VERIFIED_AGAIN = 'The customer must verify a new email again. Replies to open tickets go to the new address.'
const NAME_STAYS = 'Change the name of a stretcher in Stretcher Management.'

function Form({ id, contact, isStretcher, onClose, onDone }: FormProps) {
  // A refresh must not change the values under the open form.
  const [base] = useState(contact)
  const correct = useCorrectContact(id)
  const { mutateAsync, conflict } = useConflict<typeof correctContact, Fields>({
    base,
    fieldsOf,
    title: 'Someone else changed this contact',
    formatters: fieldFormatters(contactFields, { blank: '--' }),
    send: async (fields) => {
      const reply = await correct.mutateAsync(fields)
      toastUndo('Contact saved.', reply)
      return { ...fields, version: reply.version }
    },
    onSaved: onDone,
  })
  return (
    <>
      <FormDialog
        isOpen
        onClose={onClose}
        title={TITLE}
        context={isStretcher ? `${VERIFIED_AGAIN} ${NAME_STAYS}` : VERIFIED_AGAIN}
        submit="Save"
        schema={Fields}
        mutation={{ mutateAsync: (typed) => mutateAsync(Fields.parse(typed)) }}
        initial={{ ...fieldsOf(base), phone: base.phone && formatPhone(base.phone) }}
      >
        {!isStretcher && (
          <FieldRow>
            <TextField label="First name" name="first_name" />
            <TextField label="Last name" name="last_name" />
          </FieldRow>
        )}
        <TextField label="Email" name="email" type="email" />
        <TextField
          label="Phone"
          name="phone"
          type="tel"
          isOptional
          hint="For example (951) 555-0123, or +44 for other countries."
        />
        <ReasonField />
      </FormDialog>
      {conflict}
    </>
  )
}

/** Edits name, email and phone. After a concurrent change the second editor chooses which values to keep. */
export function ContactForm({ user, ...ways }: AccountFormProps) {
  const { id } = user.personalInfo
  const query = useQuery(contactQuery(id))
  const { isStretcher } = user.accountStatus
  if (query.data) return <Form id={id} contact={query.data} isStretcher={isStretcher} {...ways} />
  return (
    <Dialog isOpen onClose={ways.onClose} title={TITLE}>
      <QueryView query={query} failure="Couldn't load this contact" loading={<TextSkeleton lines={5} />}>
        {() => null}
      </QueryView>
    </Dialog>
  )
}
