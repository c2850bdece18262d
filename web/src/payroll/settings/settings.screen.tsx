import type { PayrollSettings } from '@limber/contract/payroll/settings/settings.ts'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLiveRefresh } from '#platform/live/live.ts'
import { Banner } from '#ui/feedback/banner.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { TextSkeleton } from '#ui/feedback/skeleton.tsx'
import { dayText } from '#ui/format/day-text.ts'
import { HistoryButton } from '#ui/history/history-button.tsx'
import { PageHead } from '#ui/layout/page-head.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { settingsKey, settingsQuery } from './settings.api.ts'
import styles from './settings.module.css'
import { SettingsForm } from './settings-form.tsx'
import { SettingsHistory } from './settings-history.tsx'
import { StartForm } from './start-form.tsx'

const newestOf = ({ history }: PayrollSettings) => Math.max(...history.map(({ version }) => version))

/** The form keeps its initial settings while others change them. */
function Editing({ settings }: { settings: PayrollSettings }) {
  const [base, setBase] = useState(settings)
  const [round, setRound] = useState(0)
  const restart = (next: PayrollSettings) => {
    setBase(next)
    setRound(round + 1)
  }
  // A new start of payroll does not concern this form.
  const isOld = newestOf(settings) > newestOf(base)
  return (
    <>
      {isOld && (
        <Banner
          kind="amber"
          action={
            <Button variant="default" size="xs" onClick={() => restart(settings)}>
              Load new settings
            </Button>
          }
        >
          Someone else changed these settings.
        </Banner>
      )}
      <SectionCard
        title="Settings"
        beside={<span className={styles.since}>in effect since {dayText(base.effectiveFrom)}</span>}
      >
        <SettingsForm key={round} base={base} version={isOld ? base.version : settings.version} onRestart={restart} />
      </SectionCard>
    </>
  )
}

export default function Settings() {
  useLiveRefresh('payroll.settings', settingsKey)
  const query = useQuery(settingsQuery)
  return (
    <>
      <PageHead title="Settings" actions={<HistoryButton record={{ kind: 'payroll_settings', id: 'one' }} />}>
        {query.isError && !query.data
          ? 'Error loading settings.'
          : 'Applied to new payroll entries. Changes take effect on their effective date and never affect the past.'}
      </PageHead>
      <QueryView query={query} failure="Failed to fetch payroll settings." loading={<TextSkeleton lines={6} />}>
        {(settings) => (
          <div className={styles.page}>
            <SectionCard title="Payroll start">
              <StartForm key={settings.start_changes[0]?.version ?? 0} settings={settings} />
            </SectionCard>
            <Editing settings={settings} />
            <SettingsHistory settings={settings} />
            <SectionCard title="Tax tables">
              <div className={styles.tables}>
                {settings.taxYears.map(({ year, sources }) => (
                  <p key={year}>
                    <b>{year}</b> {[...new Set(sources)].join('; ')}
                  </p>
                ))}
                <p>
                  {settings.notice} The tax rate is a provisional estimate; withholding on wages follows the tax tables.
                  Run the tax audit to find and correct differences.
                </p>
              </div>
            </SectionCard>
          </div>
        )}
      </QueryView>
    </>
  )
}
