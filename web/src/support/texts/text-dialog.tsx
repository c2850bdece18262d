import { formatPhone } from '@limber/contract/kit/formats/numbers.ts'
import { Text } from '@limber/contract/kit/values.ts'
import { MAX_TEXT_LENGTH } from '@limber/contract/support/texts/message.ts'
import { z } from 'zod'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { toast } from '#ui/feedback/toast-store.ts'
import { AreaField } from '#ui/form/fields.tsx'
import { useSendText } from './message.api.ts'

const Message = z.strictObject({ body: Text(MAX_TEXT_LENGTH) })

interface Props {
  name: string
  phone: string
  onClose: () => void
}

/** Sends one text message to a customer. */
export default function TextDialog({ name, phone, onClose }: Props) {
  const send = useSendText()
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={`Text ${name}`}
      context={`${formatPhone(phone)}. A text message cannot be taken back.`}
      submit="Send text"
      schema={Message}
      mutation={{ mutateAsync: ({ body }) => send.mutateAsync({ to: phone, body }) }}
      onDone={() => toast('Text message sent.')}
    >
      <AreaField name="body" label="Message" rows={3} />
    </FormDialog>
  )
}
