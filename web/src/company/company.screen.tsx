import type { Company as Profile } from '@limber/contract/company/company.ts'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLiveRefresh } from '#platform/live/live.ts'
import { useSession } from '#platform/session/session.tsx'
import { Banner } from '#ui/feedback/banner.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { BlockSkeleton, TextSkeleton } from '#ui/feedback/skeleton.tsx'
import { toast, toastFailure } from '#ui/feedback/toast-store.ts'
import { momentText } from '#ui/format/moment-text.ts'
import { HistoryButton } from '#ui/history/history-button.tsx'
import { PageHead } from '#ui/layout/page-head.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { ShowBackupKey } from './backup-key-dialog.tsx'
import { backupKeyQuery, companyKey, companyQuery, mailServerQuery, useHideGuide } from './company.api.ts'
import styles from './company.module.css'
import { LogoField } from './logo-field.tsx'
import { MailNotice, MailServerForm, TestResult } from './mail-server-form.tsx'
import { ProfileForm } from './profile-form.tsx'

function Loaded({ company, isReadOnly }: { company: Profile; isReadOnly: boolean }) {
  // The form stays on the version it started with.
  const [base, setBase] = useState(company)
  return <ProfileForm key={base.version} base={base} isReadOnly={isReadOnly} onSaved={setBase} />
}

function MailCard({ isOwner }: { isOwner: boolean }) {
  const query = useQuery(mailServerQuery)
  return (
    <SectionCard title="Mail server">
      <QueryView query={query} loading={<TextSkeleton lines={4} />} failure="Couldn't load the mail server">
        {(mailServer) =>
          isOwner ? (
            <MailServerForm key={mailServer.version} mailServer={mailServer} />
          ) : (
            <div className={styles.stack}>
              <MailNotice mailServer={mailServer} />
              <p>Emails come from {mailServer.sender}.</p>
              <TestResult mailServer={mailServer} />
            </div>
          )
        }
      </QueryView>
    </SectionCard>
  )
}

function BackupKeyCard({ isOwner }: { isOwner: boolean }) {
  const query = useQuery(backupKeyQuery)
  return (
    <SectionCard title="Backup key" actions={isOwner && query.data?.keyId ? <ShowBackupKey /> : undefined}>
      <QueryView query={query} loading={<TextSkeleton lines={1} />} failure="Couldn't load the backup key">
        {({ keyId, kept }) => (
          <p>
            {keyId === null
              ? 'Backups are not set up. Set BACKUP_KEY and restart the server.'
              : kept
                ? `${kept.by} confirmed on ${momentText(kept.at)} that a copy is kept elsewhere.`
                : 'No one has confirmed that a copy is kept elsewhere. Without the key a backup cannot be opened.'}
          </p>
        )}
      </QueryView>
    </SectionCard>
  )
}

/** Brings the guide back after someone hid it. */
function HiddenGuide() {
  const hide = useHideGuide()
  const show = () =>
    hide.mutateAsync(false).then(
      () => toast('The setup guide is back on Today.'),
      (error: unknown) => toastFailure("Couldn't show the setup guide", error),
    )
  return (
    <Banner
      action={
        <Button variant="default" size="xs" loading={hide.isPending} onClick={() => void show()}>
          Show setup guide
        </Button>
      }
    >
      The setup guide on Today is hidden for everyone.
    </Banner>
  )
}

/** The settings of the whole company. Owners change them; others who manage access read them. */
export default function CompanyScreen() {
  useLiveRefresh('company', companyKey)
  const isOwner = useSession().worker.role === 'Owner'
  const query = useQuery(companyQuery)
  return (
    <>
      <PageHead title="Company" actions={<HistoryButton record={{ kind: 'company', id: 'one' }} />}>
        {isOwner ? 'Changes ask for your passkey and apply at once.' : 'Only Owners can change these settings.'}
      </PageHead>
      <div className={styles.stack}>
        <QueryView query={query} loading={<BlockSkeleton height={420} />} failure="Couldn't load the company profile">
          {({ company, address_from_environment, is_guide_hidden }) => (
            <>
              {isOwner && is_guide_hidden && <HiddenGuide />}
              {address_from_environment && (
                <Banner kind="amber">
                  Emails use the address in COMPANY_ADDRESS ({address_from_environment}), which is deprecated. Enter the
                  address here and remove the variable.
                </Banner>
              )}
              <SectionCard title="Profile">
                <div className={styles.profile}>
                  <Loaded company={company} isReadOnly={!isOwner} />
                  <LogoField logo={company.logo} isReadOnly={!isOwner} />
                </div>
              </SectionCard>
            </>
          )}
        </QueryView>
        <MailCard isOwner={isOwner} />
        <BackupKeyCard isOwner={isOwner} />
      </div>
    </>
  )
}
