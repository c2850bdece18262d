import {
  Audience,
  audienceLabels,
  channelLabels,
  FIRST_NAME,
  NotificationChannel,
  PASSKEY_ABOVE,
} from '@limber/contract/support/notifications/notification.ts'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useEffect, useId, useState } from 'react'
import { confirm } from '#ui/dialog/confirm.ts'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { Banner } from '#ui/feedback/banner.tsx'
import { toast } from '#ui/feedback/toast-store.ts'
import { AreaField, ChoiceField, FieldRow, TextField } from '#ui/form/fields.tsx'
import { FormBody } from '#ui/form/form.tsx'
import { InstantField } from '#ui/form/instant-field.tsx'
import { useForm } from '#ui/form/use-form.ts'
import { momentText } from '#ui/format/moment-text.ts'
import { choicesQuery, previewQuery, useSendNotification } from './notification.api.ts'
import { blankDraft, bodyOf, Draft } from './notification-draft.ts'
import { peopleText } from './notification-labels.ts'
import { PreviewPane } from './notification-preview.tsx'
import { toastUndo, useUndo } from './notification-undo.ts'
import styles from './notifications.module.css'

const audiences = Audience.shape.kind.options.map((kind) => ({ value: kind, label: audienceLabels[kind] }))
const tiers = [
  { value: 'vip', label: 'VIP' },
  { value: 'high', label: 'High' },
  { value: 'medium', label: 'Medium' },
  { value: 'low', label: 'Low' },
]
const sendTimes = [
  { value: 'now', label: 'Now, with 10 seconds to undo' },
  { value: 'later', label: 'Later' },
]

const DEBOUNCE_MS = 400

/** Debounces a value, so that not every keystroke sends a request. */
function useDebounced<T>(value: T): T {
  const text = JSON.stringify(value)
  const [debounced, setDebounced] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(text), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return JSON.parse(useDeferredValue(debounced)) as T
}

function Fields({ isScheduled }: { isScheduled: boolean }) {
  const { data: choices } = useQuery(choicesQuery)
  const channels = NotificationChannel.options.map((channel) => {
    const isConnected = !choices || choices.connected.includes(channel)
    return {
      value: channel,
      label: `${channelLabels[channel]}${isConnected ? '' : ' (not connected)'}`,
      isDisabled: !isConnected,
    }
  })
  const zones = (choices?.zones ?? []).map(({ id, name }) => ({ value: String(id), label: name }))
  return (
    <>
      <FieldRow>
        <ChoiceField label="Channel" name="channel" options={channels} />
        <ChoiceField label="Audience" name="kind" options={audiences} />
      </FieldRow>
      <FieldRow>
        <ChoiceField label="Zone" name="zoneId" options={zones} placeholder="All zones" isNumeric />
        <ChoiceField label="Value tier" name="valueTier" options={tiers} placeholder="All tiers" />
      </FieldRow>
      <TextField label="Title" name="title" />
      <AreaField
        label="Message"
        name="body"
        rows={6}
        hint={`${FIRST_NAME} is replaced with the recipient's first name.`}
      />
      <FieldRow>
        <ChoiceField label="When" name="when" options={sendTimes} />
        {isScheduled && <InstantField label="Day and time" name="sendAt" />}
      </FieldRow>
      {choices && !choices.hasCompanyAddress && (
        <Banner>The company profile has no postal address. The law requires one in bulk email.</Banner>
      )}
    </>
  )
}

/** A form for a notification next to its preview and number of recipients. */
export function NotificationComposer({ onClose }: { onClose: () => void }) {
  const id = useId()
  const sending = useSendNotification()
  const { undo } = useUndo()
  const mutation = {
    mutateAsync: async (draft: Draft) => {
      const body = bodyOf(draft)
      const isScheduled = draft.when === 'later'
      const created = await sending.mutateAsync({
        ...body,
        ...(isScheduled && { sendAt: draft.sendAt ?? null }),
        ...(people !== undefined && { people }),
      })
      if (isScheduled) toast(`Scheduled for ${momentText(created.sendAt)}, to ${peopleText(created.counts.people)}.`)
      else toastUndo(created, undo)
    },
  }
  const model = useForm({ schema: Draft, mutation, initial: blankDraft, onDone: onClose })
  const values = model.values as Partial<Draft>
  // Placeholder text, so that recipients are counted before anything is typed.
  const typed = { ...values, title: values.title?.trim() || 'Title', body: values.body?.trim() || 'Message' } as Draft
  const draft = useDebounced(bodyOf(typed))
  const { data: preview } = useQuery(previewQuery(draft))
  const people = preview?.people
  const close = async () => {
    if (model.isSending) return
    const question = {
      title: 'Discard your changes?',
      action: 'Discard',
      cancel: 'Keep editing',
      isDestructive: true,
    }
    if (!model.isDirty || (await confirm(question))) onClose()
  }
  const foot = (
    <>
      {preview?.needsPasskey && (
        <span className={styles.passkey}>
          More than {PASSKEY_ABOVE} people within an hour. You confirm with your passkey.
        </span>
      )}
      <Button variant="default" disabled={model.isSending} onClick={() => void close()}>
        Cancel
      </Button>
      <Button type="submit" form={id} loading={model.isSending} disabled={people === 0}>
        {values.when === 'later' ? 'Schedule' : 'Send'}
        {people ? ` to ${peopleText(people)}` : ''}
      </Button>
    </>
  )
  return (
    <Dialog isOpen onClose={() => void close()} title="Send Notification" size={1080} foot={foot}>
      <div className={styles.composer}>
        <FormBody model={model} id={id}>
          <Fields isScheduled={values.when === 'later'} />
        </FormBody>
        <PreviewPane draft={draft} />
      </div>
    </Dialog>
  )
}
