import {
  type ApiKey,
  createApiKey,
  DEFAULT_REQUESTS_PER_MINUTE,
  MAX_NETWORKS,
  MAX_REQUESTS_PER_MINUTE,
  Network,
  type updateApiKey,
} from '@limber/contract/access/api-keys/api-key.ts'
import type { ApiScope } from '@limber/contract/access/api-keys/scopes.ts'
import { formatInteger } from '@limber/contract/kit/formats/numbers.ts'
import { useState } from 'react'
import { z } from 'zod'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { DayField } from '#ui/form/day-field.tsx'
import { FieldRow, TextField } from '#ui/form/fields.tsx'
import { NumberField } from '#ui/form/number-field.tsx'
import { useConflict } from '#ui/form/use-conflict.tsx'
import { dayText } from '#ui/format/day-text.ts'
import { toastUndo } from '#ui/history/undo-toast.ts'
import { passkeyNote } from '../secrets/passkey-note.tsx'
import { useCreateKey, useUpdateKey } from './api-key.api.ts'
import { scopesLabel } from './key-labels.ts'
import { ScopePicker } from './scope-picker.tsx'

const { name, source, scopes, expiresOn, requestsPerMinute } = createApiKey.body.shape

const splitNetworks = (text: string) => text.split(/[\s,;]+/).filter(Boolean)
const networks = z
  .string()
  .default('')
  .refine((text) => splitNetworks(text).every((each) => Network.safeParse(each).success), {
    error: 'Enter networks in CIDR notation, such as 203.0.113.0/24.',
  })
  .refine((text) => splitNetworks(text).length <= MAX_NETWORKS, { error: `Enter at most ${MAX_NETWORKS} networks.` })

/** Networks are typed as one line. */
const EditSchema = z.strictObject({ name, scopes, expiresOn, networks, requestsPerMinute })
const CreateSchema = EditSchema.extend({ source })

const bounds = (
  <FieldRow>
    <DayField label="Expires" name="expiresOn" hint="Optional. Last day it works" />
    <TextField label="Allowed networks" name="networks" hint="Optional. CIDR notation" placeholder="Any address" />
    <NumberField
      label="Calls per minute"
      name="requestsPerMinute"
      min={1}
      max={MAX_REQUESTS_PER_MINUTE}
      hint="Calls above it are refused"
    />
  </FieldRow>
)

export interface NewKey {
  key: ApiKey
  token: string
}

interface CreateProps {
  scopes: readonly ApiScope[]
  onClose: () => void
  onCreated: (made: NewKey) => void
}

/** A key for one system. */
export function CreateKey({ scopes: chosen, onClose, onCreated }: CreateProps) {
  const create = useCreateKey()
  const mutateAsync = async (typed: z.input<typeof CreateSchema>) => {
    const { networks: text, ...rest } = CreateSchema.parse(typed)
    onCreated(await create.mutateAsync({ ...rest, networks: splitNetworks(text) }))
  }
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title="Create API key"
      context="For one system. Give it only what it needs."
      submit="Create key"
      note={passkeyNote}
      size={760}
      schema={CreateSchema}
      mutation={{ mutateAsync }}
      initial={{ scopes: [...chosen], requestsPerMinute: DEFAULT_REQUESTS_PER_MINUTE }}
    >
      <FieldRow>
        <TextField label="Name" name="name" />
        <TextField label="Source" name="source" hint="Owner of the external IDs it sends" placeholder="app" />
      </FieldRow>
      {bounds}
      <ScopePicker />
    </FormDialog>
  )
}

type Fields = Omit<z.output<typeof EditSchema>, 'networks'> & { networks: string[] }

const fieldsOf = (key: ApiKey): Fields => ({
  name: key.name,
  scopes: key.scopes,
  expiresOn: key.expiresOn,
  networks: key.networks,
  requestsPerMinute: key.requestsPerMinute,
})

/** Changes a key. After a concurrent change the second editor chooses which values to keep. */
export function EditKey({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  // A refresh must not change the values under the open form.
  const [base] = useState(apiKey)
  const update = useUpdateKey(base.id)
  const { mutateAsync, conflict } = useConflict<typeof updateApiKey, Fields>({
    base,
    fieldsOf,
    title: 'Someone else changed this API key',
    formatters: [
      ['Name', (fields) => fields.name],
      ['Scopes', (fields) => scopesLabel(fields.scopes)],
      ['Expires', (fields) => dayText(fields.expiresOn, 'Never')],
      ['Allowed networks', (fields) => fields.networks.join(', ') || 'Any address'],
      ['Calls per minute', (fields) => formatInteger(fields.requestsPerMinute)],
    ],
    send: async (body) => (await update.mutateAsync(body)).key,
    onSaved: (saved) => {
      toastUndo(`${saved.name} saved.`, saved)
      onClose()
    },
  })
  const save = (typed: z.input<typeof EditSchema>) => {
    const { networks: text, ...rest } = EditSchema.parse(typed)
    return mutateAsync({ ...rest, networks: splitNetworks(text) })
  }
  const { networks: list, expiresOn: day, ...rest } = fieldsOf(base)
  return (
    <>
      <FormDialog
        isOpen
        onClose={onClose}
        title={`Edit ${base.name}`}
        context="Changes apply to its next call."
        submit="Save"
        note={passkeyNote}
        size={760}
        schema={EditSchema}
        mutation={{ mutateAsync: save }}
        initial={{ ...rest, ...(day && { expiresOn: day }), networks: list.join(', ') }}
      >
        <TextField label="Name" name="name" />
        {bounds}
        <ScopePicker />
      </FormDialog>
      {conflict}
    </>
  )
}
