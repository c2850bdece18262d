import { disableWorker, type WorkerDetail } from '@limber/contract/access/workers/worker.ts'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useSession } from '#platform/session/session.tsx'
import { confirm, type Question } from '#ui/dialog/confirm.ts'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { toast, toastFailure } from '#ui/feedback/toast-store.ts'
import { AreaField } from '#ui/form/fields.tsx'
import { HistoryButton } from '#ui/history/history-button.tsx'
import { DetailActions } from '#ui/layout/detail-pane.tsx'
import { type QuickChange, useDisable, useQuickChange, useShowLink } from '../access.api.ts'
import { OpenWork } from '../recovery/open-work.tsx'
import { LinkDialog } from './link-dialog.tsx'
import { WorkerEdit } from './worker-edit.tsx'

interface QuickAction {
  which: QuickChange
  label: string
  done: string
  failed: string
  question?: Question
}

/** The one-click actions for this worker. */
function actionsFor({ name, status, link, openSessions }: WorkerDetail, hasMailServer: boolean): QuickAction[] {
  const actions: (QuickAction | false)[] = [
    status === 'invited' &&
      hasMailServer && {
        which: 'resendLink',
        label: 'Resend link',
        done: 'A new link is on its way. The old one no longer works.',
        failed: "Couldn't send the link",
      },
    link === 'open' && {
      which: 'revokeLink',
      label: 'Revoke link',
      done: 'The link no longer works.',
      failed: "Couldn't revoke the link",
      question: {
        title: 'Revoke the onboarding link?',
        body: `${name} can no longer use it. You can create a new one later.`,
        action: 'Revoke link',
        isDestructive: true,
      },
    },
    openSessions > 0 && {
      which: 'endWorkerSessions',
      label: 'End sessions',
      done: `${name} is signed out everywhere.`,
      failed: "Couldn't end the sessions",
      question: { title: `Sign ${name} out everywhere?`, action: 'End sessions', isDestructive: true },
    },
    status === 'disabled' && {
      which: 'enableWorker',
      label: 'Enable',
      done: `${name} can sign in again.`,
      failed: `Couldn't enable ${name}`,
    },
  ]
  return actions.filter((action) => action !== false)
}

export function WorkerActions({ worker, isOwn }: { worker: WorkerDetail; isOwn: boolean }) {
  const [isDisabling, setDisabling] = useState(false)
  const { hasMailServer } = useSession()
  const quick = useQuickChange(worker.id)
  const show = useShowLink(worker.id)
  const disable = useDisable(worker.id)

  const run = async ({ which, question, done, failed }: QuickAction) => {
    if (question && !(await confirm(question))) return
    void quick.mutateAsync(which).then(
      () => toast(done),
      (error: unknown) => toastFailure(failed, error),
    )
  }
  return (
    <DetailActions>
      <HistoryButton record={{ kind: 'worker', id: worker.id }} />
      <WorkerEdit worker={worker} isOwn={isOwn} />
      {worker.status === 'invited' && !hasMailServer && (
        <Button
          variant="default"
          loading={show.isPending}
          onClick={() =>
            void show.mutateAsync().catch((error: unknown) => toastFailure("Couldn't show the link", error))
          }
        >
          Show link
        </Button>
      )}
      {show.data && <LinkDialog name={worker.name} link={show.data.link} onClose={() => show.reset()} />}
      {actionsFor(worker, hasMailServer).map((action) => (
        <Button
          key={action.which}
          variant="default"
          loading={quick.isPending && quick.variables === action.which}
          disabled={quick.isPending || (isOwn && action.which === 'enableWorker')}
          onClick={() => void run(action)}
        >
          {action.label}
        </Button>
      ))}
      {worker.status !== 'disabled' && (
        <Button
          variant="default"
          c="var(--red-text)"
          disabled={isOwn || worker.isLastOwner}
          onClick={() => setDisabling(true)}
        >
          Disable
        </Button>
      )}
      <FormDialog
        isOpen={isDisabling}
        onClose={() => setDisabling(false)}
        title={`Disable ${worker.name}?`}
        context="All their sessions, known browsers and links end immediately. You confirm with your passkey."
        submit="Disable"
        isDestructive
        schema={disableWorker.body}
        mutation={disable}
        onDone={() => toast(`${worker.name} is disabled.`)}
      >
        <OpenWork workerId={worker.id} name={worker.name} />
        <AreaField label="Reason" name="reason" rows={2} isOptional hint="Saved in the audit log." />
      </FormDialog>
    </DetailActions>
  )
}
