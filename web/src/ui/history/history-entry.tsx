import type { HistoryChange, HistoryValue } from '@limber/contract/access/history/history.ts'
import { IconArrowRight, IconKey } from '@tabler/icons-react'
import { Fragment } from 'react'
import { Moment } from '../format/moment.tsx'
import type { MomentForm } from '../format/moment-text.ts'
import { Avatar } from '../layout/avatar.tsx'
import { Icon } from '../layout/icon.tsx'
import styles from './history.module.css'

/** A value before and after, in words. */
function Value({ value: { label, from, to, missing } }: { value: HistoryValue }) {
  return (
    <Fragment>
      <dt>{label}</dt>
      <dd>
        {missing ? (
          <span className={styles.missing}>{missing}</span>
        ) : from === null && to === null ? (
          <span className={styles.missing}>changed</span>
        ) : (
          <span className={styles.values}>
            <del>{from ?? 'none'}</del>
            <Icon of={IconArrowRight} size={13} />
            <ins>{to ?? 'none'}</ins>
          </span>
        )}
      </dd>
    </Fragment>
  )
}

/** One change as a sentence, with each changed field on its own line. */
export function HistoryEntry({ change, form }: { change: HistoryChange; form: MomentForm }) {
  const { at, by, text, reason, values } = change
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
          <b>{by.kind === 'you' ? 'You' : by.name}</b> {text}
        </p>
        {values.length > 0 && (
          <dl className={styles.changes}>
            {values.map((value) => (
              <Value key={value.field} value={value} />
            ))}
          </dl>
        )}
        {reason && <p className={styles.reason}>{reason}</p>}
      </div>
      <Moment at={at} form={form} />
    </li>
  )
}
