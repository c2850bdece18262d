import { Money } from '@limber/contract/kit/money.ts'
import { Day, Email, Instant, Text } from '@limber/contract/kit/values.ts'
import { Checkbox } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod'
import { CallFailure } from '#platform/api/call-failure.ts'
import { toast } from '#ui/feedback/toast-store.ts'
import { DayField } from '#ui/form/day-field.tsx'
import { AreaField, CheckField, ChoiceField, FieldRow, SwitchField, TextField } from '#ui/form/fields.tsx'
import { MoneyField } from '#ui/form/figure-field.tsx'
import { Form } from '#ui/form/form.tsx'
import { InstantField } from '#ui/form/instant-field.tsx'
import { NumberField } from '#ui/form/number-field.tsx'
import { SelectField } from '#ui/form/select-field.tsx'
import { UploadButton } from '#ui/form/upload-button.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import styles from './gallery.module.css'

const zones = ['Riverside', 'Redlands', 'Corona', 'Fontana', 'Ontario'].map((name) => ({ value: name, label: name }))

const Business = z.object({
  name: Text(80),
  path: z.string().regex(/^[a-z0-9-]+$/, 'takes lowercase letters, digits and hyphens'),
  email: Email,
  zone: z.enum(['Riverside', 'Redlands', 'Corona', 'Fontana', 'Ontario']),
  hours: z.number().min(1).max(12),
  price: Money,
  opened: Day,
  starts_at: Instant,
  note: Text(500).optional(),
  requires_training: z.boolean().optional(),
  is_production: z.boolean().optional(),
})

const later = (ms: number, signal?: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })

function BusinessForm() {
  const [isRefusing, setRefusing] = useState(true)
  const save = useMutation({
    mutationFn: async (_: z.input<typeof Business>) => {
      await later(600)
      if (!isRefusing) return
      setRefusing(false)
      throw new CallFailure(409, {
        error: 'This path is already taken.',
        code: 'path_taken',
        fields: [{ path: 'path', text: 'is already taken' }],
      })
    },
  })
  const initial = {
    name: 'Mission Inn Hospitality',
    path: 'mission-inn',
    zone: 'Riverside',
    is_production: true,
  } as const
  return (
    <Form
      schema={Business}
      mutation={save}
      initial={initial}
      submit="Save"
      onDone={() => toast('Business saved.')}
      isGuarded
    >
      <FieldRow>
        <TextField label="Name" name="name" />
        <TextField label="Custom path" name="path" hint="Lowercase letters, digits, hyphens" />
      </FieldRow>
      <FieldRow>
        <TextField label="Admin email" name="email" type="email" />
        <SelectField label="Zone" name="zone" options={zones} placeholder="Select zone…" />
      </FieldRow>
      <FieldRow>
        <NumberField label="Block hours" name="hours" min={1} max={12} suffix=" h" />
        <MoneyField label="Price" name="price" />
        <ChoiceField label="City" name="city" options={zones} placeholder="Any" />
      </FieldRow>
      <FieldRow>
        <DayField label="Opened" name="opened" />
        <InstantField label="Starts at" name="starts_at" />
      </FieldRow>
      <AreaField label="Note" name="note" isOptional rows={2} />
      <FieldRow>
        <CheckField label="Requires Training" name="requires_training" />
        <SwitchField label="Production mode" name="is_production" />
      </FieldRow>
    </Form>
  )
}

export function Forms() {
  const [isBroken, setBroken] = useState(false)
  const upload = async (
    _: File[],
    { signal, onProgress }: { signal: AbortSignal; onProgress: (share: number) => void },
  ) => {
    for (let step = 1; step <= 10; step += 1) {
      await later(200, signal)
      onProgress(step / 10)
      if (isBroken && step === 5)
        throw new CallFailure(415, { error: 'Only text files are supported.', code: 'wrong_type' })
    }
  }
  return (
    <>
      <SectionCard title="Form" hasLine className={styles.half ?? ''}>
        <BusinessForm />
      </SectionCard>
      <SectionCard title="Upload" hasLine className={styles.half ?? ''}>
        <div className={styles.rows}>
          <UploadButton upload={upload} onDone={() => toast('Uploaded.')} failure="Failed to upload file(s)." />
          <Checkbox label="Fail halfway" checked={isBroken} onChange={() => setBroken(!isBroken)} />
          <UploadButton upload={upload} isDisabled />
        </div>
      </SectionCard>
    </>
  )
}
