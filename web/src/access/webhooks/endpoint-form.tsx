import { type WebhookEvent, webhookEvents } from '@limber/contract/access/webhooks/events.ts'
import { createWebhook, type updateWebhook, type WebhookEndpoint } from '@limber/contract/access/webhooks/webhook.ts'
import { useState } from 'react'
import { z } from 'zod'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { toast } from '#ui/feedback/toast-store.ts'
import { CheckField, TextField } from '#ui/form/fields.tsx'
import { useConflict } from '#ui/form/use-conflict.tsx'
import { passkeyNote } from '../secrets/passkey-note.tsx'
import { type Presets, SetPicker } from '../secrets/set-picker.tsx'
import { useCreateEndpoint, useUpdateEndpoint } from './webhook.api.ts'
import { endpointName } from './webhook-labels.ts'
import styles from './webhooks.module.css'

const { url, events, description, includeOwnChanges } = createWebhook.body.shape
const Schema = z.strictObject({ url, events, description, includeOwnChanges })

export interface NewSecret {
  endpoint: WebhookEndpoint
  secret: string
}

const presets: Presets<WebhookEvent> = [
  ['None', []],
  ['Customers', webhookEvents.filter((event) => /^(customer|credits)\./.test(event))],
  ['All', webhookEvents],
]

const fields = (
  <>
    <TextField
      label="URL"
      name="url"
      placeholder="https://api.example.com/hooks/limber"
      hint="Must be reachable from the internet. Redirects are not followed."
    />
    <TextField label="Description" name="description" hint="Optional, such as Customer app" isOptional />
    <SetPicker name="events" label="Events" all={webhookEvents} presets={presets}>
      {(box) => <div className={styles.events}>{webhookEvents.map((event) => box(event, event))}</div>}
    </SetPicker>
  </>
)

/** An address that is told what changes. */
export function AddEndpoint({ onClose, onAdded }: { onClose: () => void; onAdded: (made: NewSecret) => void }) {
  const create = useCreateEndpoint()
  const mutateAsync = async (typed: z.input<typeof Schema>) => onAdded(await create.mutateAsync(typed))
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title="Add endpoint"
      context="Limber sends a signed request to it whenever one of these events happens."
      submit="Add endpoint"
      note={passkeyNote}
      size={640}
      schema={Schema}
      mutation={{ mutateAsync }}
      initial={{ events: [], description: '', includeOwnChanges: false }}
    >
      {fields}
    </FormDialog>
  )
}

type Fields = z.output<typeof Schema>

const fieldsOf = (endpoint: WebhookEndpoint): Fields => ({
  url: endpoint.url,
  events: endpoint.events,
  description: endpoint.description,
  includeOwnChanges: endpoint.includeOwnChanges,
})

/** Changes an endpoint. After a concurrent change the second editor chooses which values to keep. */
export function EditEndpoint({ endpoint, onClose }: { endpoint: WebhookEndpoint; onClose: () => void }) {
  // A refresh must not change the values under the open form.
  const [base] = useState(endpoint)
  const update = useUpdateEndpoint(base.id)
  const { mutateAsync, conflict } = useConflict<typeof updateWebhook, Fields>({
    base,
    fieldsOf,
    title: 'Someone else changed this webhook endpoint',
    formatters: [
      ['URL', (each) => each.url],
      ['Description', (each) => each.description],
      ['Events', (each) => each.events.join(', ')],
      ['Own changes', (each) => (each.includeOwnChanges ? 'Sent' : 'Not sent')],
    ],
    send: async (body) => (await update.mutateAsync(body)).endpoint,
    onSaved: (saved) => {
      toast(`${endpointName(saved)} saved.`)
      onClose()
    },
  })
  return (
    <>
      <FormDialog
        isOpen
        onClose={onClose}
        title={`Edit ${endpointName(base)}`}
        context="Changes apply to the next deliveries."
        submit="Save"
        note={passkeyNote}
        size={640}
        schema={Schema}
        mutation={{ mutateAsync: (typed: z.input<typeof Schema>) => mutateAsync(Schema.parse(typed)) }}
        initial={fieldsOf(base)}
      >
        {fields}
        {base.source !== null && (
          <CheckField
            label={`Also send changes made by ${base.source}`}
            name="includeOwnChanges"
            hint="If off, the system does not receive its own changes."
          />
        )}
      </FormDialog>
      {conflict}
    </>
  )
}
