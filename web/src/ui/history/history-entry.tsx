import type { HistoryChange, HistoryValue } from '@limber/contract/access/history/history.ts'
import { Button } from '@mantine/core'
import { IconArrowBackUp, IconArrowRight, IconKey } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useLayer } from '../dialog/layers.ts'
import { Moment } from '../format/moment.tsx'
import type { MomentForm } from '../format/moment-text.ts'
import { Avatar } from '../layout/avatar.tsx'
import { Icon } from '../layout/icon.tsx'
import { isRestorable, type useRestore } from './history.api.ts'
import styles from './history.module.css'

const text = (value: string | null) => value ?? 'none'

/** A struck digit reads as another digit. */
const isNumber = (value: string | null) => value !== null && /^[\d.,]+$/.test(value)

interface ValueProps {
  value: HistoryValue
  onRestore: () => void
}

/** A value before and after, in words. */
function Value({ value, onRestore }: ValueProps) {
  const { label, from, to, missing } = value
  return (
    <>
      <dt>{label}</dt>
      <dd>
        {missing || (from === null && to === null) ? (
          <span className={styles.missing}>{missing ?? 'changed'}</span>
        ) : (
          <span className={styles.values} data-plain={isNumber(from) || undefined}>
            <del>{text(from)}</del>
            <Icon of={IconArrowRight} size={13} />
            <ins>{text(to)}</ins>
          </span>
        )}
        {isRestorable(value) && (
          <Button
            variant="subtle"
            size="xs"
            data-restore
            leftSection={<Icon of={IconArrowBackUp} size={14} />}
            aria-label={`Restore ${label} to ${text(from)}`}
            onClick={onRestore}
          >
            Restore
          </Button>
        )}
      </dd>
    </>
  )
}

interface SureProps {
  label: string
  effect: string | null
  verb: 'Restore' | 'Undo'
  isPending: boolean
  onCancel: () => void
  onSure: () => void
  children: ReactNode
}

/** What happens, before it happens. */
function Sure({ label, effect, verb, isPending, onCancel, onSure, children }: SureProps) {
  useLayer(true, onCancel)
  return (
    <section className={styles.confirm} aria-label={label}>
      {children}
      <p className={styles.effect}>Saved as a new change. {effect ?? 'No one is emailed.'}</p>
      <div className={styles.choice}>
        <Button size="xs" variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button size="xs" autoFocus loading={isPending} onClick={onSure}>
          {verb}
        </Button>
      </div>
    </section>
  )
}

interface ConfirmProps {
  value: HistoryValue
  isPending: boolean
  onCancel: () => void
  onRestore: () => void
}

/** What restoring does, before it happens. With three values if someone changed the value since. */
function Confirm({ value: { label, from, to, restore }, isPending, onCancel, onRestore }: ConfirmProps) {
  const list = restore?.list
  const isOlder = restore !== null && !restore.isLatest && !list
  return (
    <Sure
      label={`Restore ${label}`}
      effect={restore?.effect ?? null}
      verb="Restore"
      isPending={isPending}
      onCancel={onCancel}
      onSure={onRestore}
    >
      <p>
        <b>{list ? `Restore ${label}?` : from === null ? `Clear ${label}?` : `Restore ${label} to “${from}”?`}</b>
      </p>
      {list && (list.adds ?? list.removes) && (
        <dl className={styles.three}>
          {list.adds && (
            <>
              <dt>Comes back</dt>
              <dd>{list.adds}</dd>
            </>
          )}
          {list.removes && (
            <>
              <dt>Goes</dt>
              <dd>{list.removes}</dd>
            </>
          )}
        </dl>
      )}
      {isOlder && (
        <dl className={styles.three}>
          <dt>Then</dt>
          <dd>{text(to)}</dd>
          <dt>Now</dt>
          <dd>{text(restore.now)}</dd>
          <dt>Restore to</dt>
          <dd>{text(from)}</dd>
        </dl>
      )}
    </Sure>
  )
}

interface Props {
  change: HistoryChange
  form: MomentForm
  restoring: ReturnType<typeof useRestore>
}

/** One change as a sentence, with each changed field on its own line. */
export function HistoryEntry({ change, form, restoring: { restore, undo, isPending } }: Props) {
  const { id, at, by, text: sentence, reason, values, undo: undoable } = change
  const [asked, setAsked] = useState<string>()
  const wanted = values.find(({ field }) => field === asked)
  const [isUndoing, setUndoing] = useState(false)
  const close = () => {
    setAsked(undefined)
    setUndoing(false)
  }
  return (
    <li className={styles.entry} tabIndex={-1}>
      {by.kind === 'program' ? (
        <span className={styles.program} aria-hidden>
          <Icon of={IconKey} size={14} />
        </span>
      ) : (
        <Avatar name={by.name} />
      )}
      <div>
        <p>
          <b>{by.kind === 'you' ? 'You' : by.name}</b> {sentence}
        </p>
        {values.length > 0 && (
          <dl className={styles.changes}>
            {values.map((value) => (
              <Value key={value.field} value={value} onRestore={() => setAsked(value.field)} />
            ))}
          </dl>
        )}
        {reason && <p className={styles.reason}>{reason}</p>}
        {undoable && (
          <Button
            variant="subtle"
            size="xs"
            data-restore
            leftSection={<Icon of={IconArrowBackUp} size={14} />}
            aria-label={`Undo: ${sentence}`}
            onClick={() => setUndoing(true)}
          >
            Undo
          </Button>
        )}
        {isUndoing && undoable && (
          <Sure
            label={`Undo: ${sentence}`}
            effect={undoable.effect}
            verb="Undo"
            isPending={isPending}
            onCancel={close}
            onSure={() => undo(id, { onSettled: close })}
          >
            <p>
              <b>Undo this change?</b>
            </p>
          </Sure>
        )}
        {wanted && isRestorable(wanted) && (
          <Confirm
            value={wanted}
            isPending={isPending}
            onCancel={close}
            onRestore={() => restore({ change: id, value: wanted }, { onSettled: close })}
          />
        )}
      </div>
      <Moment at={at} form={form} />
    </li>
  )
}
