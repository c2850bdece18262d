import { pauseSchedule, resumeSchedule, type ScheduleDetail } from '@limber/contract/automation/schedule.ts'
import { Button } from '@mantine/core'
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { useState } from 'react'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { toast, toastFailure } from '#ui/feedback/toast-store.ts'
import { AreaField } from '#ui/form/fields.tsx'
import { DetailActions } from '#ui/layout/detail-pane.tsx'
import { Icon } from '#ui/layout/icon.tsx'
import { usePause, useResume, useRunNow } from './schedule.api.ts'

/** Run now, and Pause or Resume with a reason. */
export function ScheduleActions({ schedule }: { schedule: ScheduleDetail }) {
  const { name, title, enabled, isUnderWay, version } = schedule
  const [asking, setAsking] = useState<'pause' | 'resume'>()
  const run = useRunNow(name)
  const pause = usePause(name)
  const resume = useResume(name)
  const close = () => setAsking(undefined)

  const runNow = () =>
    void run.mutateAsync({}).then(
      () => toast(`“${title}” runs now.`),
      (error: unknown) => toastFailure(`“${title}” was not run`, error),
    )
  return (
    <DetailActions>
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
        context="It no longer runs by the clock until somebody resumes it. A run under way goes on to its end."
        submit="Pause"
        schema={pauseSchedule.body}
        fixed={{ version }}
        mutation={pause}
        onDone={() => toast(`“${title}” is paused.`)}
      >
        <AreaField label="Reason" name="reason" rows={2} hint="Shown beside Inactive and kept in the audit log." />
      </FormDialog>
      <FormDialog
        isOpen={asking === 'resume'}
        onClose={close}
        title={`Resume “${title}”?`}
        context="It runs again from the next time on. What it missed is not made up for."
        submit="Resume"
        schema={resumeSchedule.body}
        fixed={{ version }}
        mutation={resume}
        onDone={() => toast(`“${title}” is active again.`)}
      >
        <AreaField label="Reason" name="reason" rows={2} hint="Kept in the audit log." />
      </FormDialog>
    </DetailActions>
  )
}
