import { type Certification, revokeCertification } from '@limber/contract/certifications/certification.ts'
import { Button } from '@mantine/core'
import { IconChevronLeft, IconExternalLink } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type MouseEvent, useState } from 'react'
import { messageOf } from '#platform/api/api.ts'
import { CustomerLink } from '#support/public.tsx'
import { confirm } from '#ui/dialog/confirm.ts'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { Banner } from '#ui/feedback/banner.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { StatusBadge, StatusDot } from '#ui/feedback/status.tsx'
import { toast, toastFailure } from '#ui/feedback/toast-store.ts'
import { AreaField } from '#ui/form/fields.tsx'
import { dayText } from '#ui/format/day-text.ts'
import { Moment } from '#ui/format/moment.tsx'
import { HistoryButton } from '#ui/history/history-button.tsx'
import { CopyButton } from '#ui/layout/copy-button.tsx'
import { DetailColumns } from '#ui/layout/detail-pane.tsx'
import { Facts } from '#ui/layout/facts.tsx'
import { Icon } from '#ui/layout/icon.tsx'
import { PageHead } from '#ui/layout/page-head.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { certificationQuery, certificationsQuery, useDelete, useRevoke } from './certification.api.ts'
import type { ChangeSearch } from './certification-search.ts'
import styles from './certifications.module.css'
import { deleteQuestion, expirationText, statusLabels, statusMeaning } from './labels.ts'

interface Props {
  certification: Certification
  change: ChangeSearch
}

function Actions({ certification, change }: Props) {
  const { id, status, openedAt, version } = certification
  const [isRevoking, setRevoking] = useState(false)
  const remove = useDelete()
  const revoke = useRevoke(id)
  const confirmDelete = async () => {
    if (!(await confirm(deleteQuestion(certification)))) return
    // The toast shows on any screen. onSuccess runs only while this view is mounted, so it never navigates elsewhere.
    const removal = remove.mutateAsync(id, {
      onSuccess: ({ outcome }) => outcome === 'deleted' && change({ certification: 0 }, { replace: true }),
    })
    void removal.then(
      ({ outcome }) => toast(outcome === 'deleted' ? 'Certification deleted.' : 'Certification revoked.'),
      (error: unknown) => toastFailure(messageOf(error), error),
    )
  }
  return (
    <>
      <HistoryButton size="xs" record={{ kind: 'certification', id }} />
      {status !== 'revoked' && (
        <>
          <Button size="xs" variant="default" onClick={() => change({ view: 'edit' })}>
            Edit
          </Button>
          <Button size="xs" variant="default" onClick={() => setRevoking(true)}>
            Revoke
          </Button>
        </>
      )}
      {!(status === 'revoked' && openedAt) && (
        <Button
          size="xs"
          variant="default"
          c="var(--red-text)"
          loading={remove.isPending}
          onClick={() => void confirmDelete()}
        >
          Delete
        </Button>
      )}
      <FormDialog
        isOpen={isRevoking}
        onClose={() => setRevoking(false)}
        title="Revoke this certification?"
        context="Its public page shows this immediately, and signed credentials stop verifying. This cannot be undone."
        submit="Revoke"
        isDestructive
        schema={revokeCertification.body}
        mutation={revoke}
        fixed={{ version }}
        onDone={() => toast('Certification revoked.')}
      >
        <AreaField label="Reason" name="reason" rows={2} hint="Visible to staff only, not on the public page." />
      </FormDialog>
    </>
  )
}

/** Opening the public page for the first time fixes user and type, so staff confirm it. */
function PublicLink({ certification: { verificationUrl: url, openedAt } }: Pick<Props, 'certification'>) {
  const ask = async (event: MouseEvent) => {
    if (openedAt) return
    event.preventDefault()
    const isSure = await confirm({
      title: 'Open the public page?',
      body: 'No one has opened it yet. Once anyone opens it, including you, the user and type are fixed, and the certification can only be revoked, not deleted.',
      action: 'Open',
    })
    if (isSure) window.open(url, '_blank', 'noopener,noreferrer')
  }
  return (
    <a
      href={url}
      target="_blank"
      rel="noreferrer"
      onClick={(event) => void ask(event)}
      onAuxClick={(event) => void (event.button === 1 && ask(event))}
    >
      {url} <Icon of={IconExternalLink} size={14} />
    </a>
  )
}

function Detail({ certification, change }: Props) {
  const one = certification
  return (
    <SectionCard
      title="Certification Details"
      beside={<StatusBadge meaning={statusMeaning[one.status]}>{statusLabels[one.status]}</StatusBadge>}
      actions={<Actions certification={one} change={change} />}
      hasLine
    >
      {one.revoked && (
        <div className={styles.note}>
          <Banner kind="red">
            Revoked{one.revoked.by && ` by ${one.revoked.by}`} on <Moment at={one.revoked.at} form="day" />:{' '}
            {one.revoked.reason}
          </Banner>
        </div>
      )}
      <Facts>
        <Facts.Row label="Short ID">
          <span className={styles.verify}>
            <code className={styles.code}>{one.shortId}</code>
            <CopyButton text={one.shortId} label="Copy short ID" />
          </span>
        </Facts.Row>
        <Facts.Row label="User ID">
          {one.userId} <CustomerLink id={one.userId}>{one.userName}</CustomerLink>
        </Facts.Row>
        <Facts.Row label="Type ID">
          {one.certificationTypeId} <span className={styles.meta}>{one.certificationName}</span>
        </Facts.Row>
        <Facts.Row label="Name">{one.name}</Facts.Row>
        <Facts.Row label="Instructor">{one.instructor}</Facts.Row>
        <Facts.Row label="Date Issued">{dayText(one.dateIssued)}</Facts.Row>
        <Facts.Row label="Valid until">{expirationText(one.validUntil)}</Facts.Row>
        <Facts.Row label="Issued by">{one.issuedBy ?? '--'}</Facts.Row>
        <Facts.Row label="Link first opened">
          <Moment at={one.openedAt} absent="Never" />
        </Facts.Row>
        <Facts.Row label="Verification">
          <span className={styles.verify}>
            <PublicLink certification={one} />
            <CopyButton text={one.verificationUrl} label="Copy link" />
          </span>
        </Facts.Row>
      </Facts>
    </SectionCard>
  )
}

/** The other certifications of the same person, those in force first. */
function OtherCertifications({ of, change }: { of: Certification; change: ChangeSearch }) {
  const query = useQuery(certificationsQuery({ user: String(of.userId), limit: '50', sort: 'until' }))
  const others = (all: readonly Certification[]) => all.filter(({ id }) => id !== of.id)
  return (
    <SectionCard
      title={`Also held by ${of.userName}`}
      isFlush
      actions={
        <Button size="xs" variant="subtle" onClick={() => change({ view: 'create', user: of.userId, type: 0 })}>
          Add
        </Button>
      }
    >
      <QueryView
        query={query}
        failure="Error: Failed to fetch certifications"
        isEmpty={({ certifications }) => others(certifications).length === 0}
        empty={<p className={styles.calm}>No other certification was issued to {of.userName}.</p>}
      >
        {({ certifications }) => (
          <ul className={styles.others}>
            {others(certifications).map((one) => (
              <li key={one.id}>
                <button type="button" onClick={() => change({ certification: one.id })}>
                  {one.certificationName}
                </button>
                <span className={styles.meta}>
                  {one.validUntil ? `until ${expirationText(one.validUntil)}` : expirationText(null)}
                </span>
                <StatusDot meaning={one.status === 'valid' ? 'plain' : statusMeaning[one.status]}>
                  {statusLabels[one.status]}
                </StatusDot>
              </li>
            ))}
          </ul>
        )}
      </QueryView>
    </SectionCard>
  )
}

export function CertificationView({ id, change }: { id: number; change: ChangeSearch }) {
  const query = useQuery(certificationQuery(id))
  const back = (
    <Button
      variant="default"
      leftSection={<Icon of={IconChevronLeft} />}
      onClick={() => change({ certification: 0, view: '' })}
    >
      Back to List
    </Button>
  )
  return (
    <>
      <PageHead title="Certifications" actions={back}>
        {query.data ? `${query.data.certificationName} for ${query.data.userName}` : 'Certification'}
      </PageHead>
      <div className={styles.page}>
        <QueryView query={query} failure="Error: Failed to fetch certifications">
          {(certification) => (
            <DetailColumns>
              <Detail certification={certification} change={change} />
              <OtherCertifications of={certification} change={change} />
            </DetailColumns>
          )}
        </QueryView>
      </div>
    </>
  )
}
