import type { WorkerDetail } from '@limber/contract/access/workers/worker.ts'
import { Link } from '@tanstack/react-router'
import { linkTo } from '#platform/routing/links.ts'
import { Moment } from '#ui/format/moment.tsx'
import { DetailColumns } from '#ui/layout/detail-pane.tsx'
import { Facts } from '#ui/layout/facts.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { browserName } from '../profile/browser-name.ts'
import { Entry, EntryList } from '../profile/entry-list.tsx'
import styles from './worker-detail.module.css'
import { linkLabels } from './worker-labels.ts'

const AUDIT = '/worker/tech/access/audit'

function Account({ worker }: { worker: WorkerDetail }) {
  const { id, link, linkExpiresAt } = worker
  return (
    <SectionCard title="Sign-in">
      <Facts>
        <Facts.Row label="Worker ID">{id}</Facts.Row>
        <Facts.Row label="Added">
          <Moment at={worker.createdAt} form="day" />
        </Facts.Row>
        <Facts.Row label="Last seen">
          <Moment at={worker.lastSeenAt} form="relative" absent="Never" />
        </Facts.Row>
        <Facts.Row label="Passkeys">{worker.passkeys.map(({ name }) => name).join(', ') || 'None'}</Facts.Row>
        <Facts.Row label="Two-factor">{worker.hasTwoFactor ? 'Set up' : 'Not set up'}</Facts.Row>
        <Facts.Row label="Known browsers">{worker.devices.map(({ label }) => label).join(', ') || 'None'}</Facts.Row>
        <Facts.Row label="Recovery codes">{worker.recoveryCodesLeft} left</Facts.Row>
        <Facts.Row label="Onboarding link">
          {linkLabels[link]}
          {link === 'open' && linkExpiresAt && (
            <>
              {' '}
              until <Moment at={linkExpiresAt} />
            </>
          )}
        </Facts.Row>
        <Facts.Row label="Audit log">
          <Link {...linkTo(AUDIT, { worker: String(id) })}>Their activity</Link>
          <Link {...linkTo(AUDIT, { subject: 'worker', subjectId: String(id) })}>Changes to their account</Link>
        </Facts.Row>
      </Facts>
    </SectionCard>
  )
}

/** Sign-in methods and sessions of a worker. */
export function WorkerSignIn({ worker }: { worker: WorkerDetail }) {
  return (
    <DetailColumns>
      <Account worker={worker} />
      <SectionCard title="Sessions" count={worker.sessions.length} isFlush={worker.sessions.length > 0}>
        {worker.sessions.length === 0 ? (
          <p className={styles.line}>Not signed in anywhere.</p>
        ) : (
          <EntryList label="Sessions">
            {worker.sessions.map(({ id, browser, address, createdAt, lastSeenAt }) => (
              <Entry key={id} title={browserName(browser)}>
                Signed in <Moment at={createdAt} />, last seen <Moment at={lastSeenAt} form="relative" />
                {address && `, from ${address}`}
              </Entry>
            ))}
          </EntryList>
        )}
      </SectionCard>
    </DetailColumns>
  )
}
