import { pauseSchedule, resumeSchedule, type ScheduleDetail } from '@limber/contract/automation/schedule.ts'
import { Button } from '@mantine/core'
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { useState } from 'react'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { toast, toastFailure } from '#ui/feedback/toast-store.ts'
import { AreaField } from '#ui/form/fields.tsx'
import { HistoryButton } from '#ui/history/history-button.tsx'
import { toastUndo } from '#ui/history/undo-toast.ts'
import { DetailActions } from '#ui/layout/detail-pane.tsx'
import { Icon } from '#ui/layout/icon.tsx'
import { usePause, useResume, useRunNow } from './schedule.api.ts'

export function ScheduleActions({ schedule }: { schedule: ScheduleDetail }) {
  const { name, title, enabled, isUnderWay, version } = schedule
  const [asking, setAsking] = useState<'pause' | 'resume'>()
  const run = useRunNow(name)
  const pause = usePause(name)
  const resume = useResume(name)
  const close = () => setAsking(undefined)

  const runNow = () =>
    void run.mutateAsync({}).then(
      () => toast(`“${title}” started.`),
      (error: unknown) => toastFailure(`Couldn't run “${title}”`, error),
    )
  return (
    <DetailActions>
      <HistoryButton record={{ kind: 'schedule', id: name }} />
      <Button
        variant="default"
        leftSection={enabled ? <Icon of={IconPlayerPause} /> : <Icon of={IconPlayerPlay} />}
        onClick={() => setAsking(enabled ? 'pause' : 'resume')}
      >
        {enabled ? 'Pause' : 'Resume'}
      </Button>
      <Button loading={run.isPending} disabled={isUnderWay} onClick={runNow}>
        {isUnderWay ? 'Running' : 'Run now'}
      </Button>
      <FormDialog
        isOpen={asking === 'pause'}
        onClose={close}
        title={`Pause “${title}”?`}
        context="It stops running on schedule until someone resumes it. A run in progress finishes first."
        submit="Pause"
        schema={pauseSchedule.body}
        fixed={{ version }}
        mutation={pause}
        onDone={(reply) => toastUndo(`“${title}” paused.`, reply)}
      >
        <AreaField label="Reason" name="reason" rows={2} hint="Shown next to the status and saved in the audit log." />
      </FormDialog>
      <FormDialog
        isOpen={asking === 'resume'}
        onClose={close}
        title={`Resume “${title}”?`}
        context="It runs again at its next scheduled time. Missed runs are skipped."
        submit="Resume"
        schema={resumeSchedule.body}
        fixed={{ version }}
        mutation={resume}
        onDone={() => toast(`“${title}” resumed.`)}
      >
        <AreaField label="Reason" name="reason" rows={2} hint="Saved in the audit log." />
      </FormDialog>
    </DetailActions>
  )
}
