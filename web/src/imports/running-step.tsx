import type { ImportDetail } from '@limber/contract/imports/import.ts'
import { formatInteger } from '@limber/contract/kit/formats/numbers.ts'
import { Button } from '@mantine/core'
import { now } from '#platform/clock.ts'
import { confirm } from '#ui/dialog/confirm.ts'
import { toastFailure } from '#ui/feedback/toast-store.ts'
import { momentText } from '#ui/format/moment-text.ts'
import { useCancel } from './import.api.ts'
import { paceText, percentOf, titleOf } from './import-labels.ts'
import styles from './running-step.module.css'
import { Wizard } from './wizard.tsx'

const texts = {
  checking: { step: 'check', done: 'checked', label: 'Checking' },
  applying: { step: 'apply', done: 'applied', label: 'Applying' },
  undoing: { step: 'result', done: 'undone', label: 'Undoing' },
} as const

type Running = keyof typeof texts
export const isRunningState = (state: string): state is Running => state in texts

/** A check, an apply or an undo under way. The page can be left meanwhile. */
export function RunningStep({ one, state }: { one: ImportDetail; state: Running }) {
  const { progress, counts } = one
  const { step, done, label } = texts[state]
  const cancel = useCancel(one.id)
  const percent = percentOf(one)
  const stop = async () => {
    const isSure = await confirm({
      title: state === 'checking' ? 'Cancel the check?' : 'Cancel this import?',
      body:
        state === 'checking'
          ? 'Nothing has been written. The file stays for another check.'
          : 'What is applied so far stays. You can undo it afterward.',
      action: state === 'checking' ? 'Cancel check' : 'Cancel import',
      cancel: 'Go on',
      isDestructive: true,
    })
    if (isSure)
      await cancel.mutateAsync(undefined).catch((error: unknown) => toastFailure("Couldn't cancel the import", error))
  }
  return (
    <Wizard
      title={titleOf(one)}
      context={`${one.started_at ? `Started ${momentText(one.started_at)}. ` : ''}You can leave this page; it goes on.`}
      step={step}
      file={one.file}
    >
      <section className={styles.card} aria-label={label}>
        <div className={styles.head}>
          <div>
            <h2 className={styles.title}>
              {formatInteger(progress.done)} of {formatInteger(progress.total)} rows {done}
            </h2>
            <p className={styles.pace}>{paceText(one, now()) ?? 'Just started'}</p>
          </div>
          <span className={styles.percent}>{percent}%</span>
        </div>
        <div
          className={styles.track}
          role="progressbar"
          aria-label={label}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={percent}
        >
          <span style={{ width: `${percent}%` }} />
        </div>
        {state === 'applying' && (
          <dl className={styles.counts}>
            <div>
              <dt>Created</dt>
              <dd>{formatInteger(counts.created)}</dd>
            </div>
            <div>
              <dt>Updated</dt>
              <dd>{formatInteger(counts.updated)}</dd>
            </div>
            <div>
              <dt>Changed since the check</dt>
              <dd>{formatInteger(counts.changed_since)}</dd>
            </div>
          </dl>
        )}
        {state !== 'undoing' && (
          <div className={styles.foot}>
            <span>
              {state === 'checking'
                ? 'Nothing is written by the check.'
                : 'Canceling keeps what is applied so far. You can undo it afterward.'}
            </span>
            <Button variant="default" c="var(--red-text)" loading={cancel.isPending} onClick={() => void stop()}>
              {state === 'checking' ? 'Cancel check' : 'Cancel import'}
            </Button>
          </div>
        )}
      </section>
    </Wizard>
  )
}
