import { type Verification, verifyCertification } from '@limber/contract/certifications/verification.ts'
import { companyDay } from '@limber/contract/kit/company.ts'
import { formatDay } from '@limber/contract/kit/formats/dates.ts'
import { Button } from '@mantine/core'
import {
  IconCircleCheckFilled,
  IconCircleXFilled,
  IconClockExclamation,
  IconDownload,
  IconPrinter,
  IconZoomQuestion,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { send } from '#platform/api/api.ts'
import { CallFailure } from '#platform/api/call-failure.ts'
import { now } from '#platform/clock.ts'
import { usePathname } from '#platform/routing/pathname.ts'
import { useTitle } from '#platform/routing/title.ts'
import { FailureView } from '#ui/feedback/failure-view.tsx'
import { Icon } from '#ui/layout/icon.tsx'
import { Logo } from '#ui/layout/logo.tsx'
import { ThemeToggle } from '#ui/theme/theme-toggle.tsx'
import { groupShortId } from './labels.ts'
import styles from './verify.module.css'

const shortIdOf = (path: string) => decodeURIComponent(path.split('/')[2] ?? '')

const verdicts = {
  valid: { icon: IconCircleCheckFilled, title: 'Valid', text: 'This certification is valid today.' },
  expired: {
    icon: IconClockExclamation,
    title: 'Expired',
    text: 'This certification is authentic but no longer valid.',
  },
  revoked: {
    icon: IconCircleXFilled,
    title: 'Revoked',
    text: 'This certification was revoked. Do not rely on it.',
  },
} as const

function Certificate({ one }: { one: Verification }) {
  const verdict = verdicts[one.status]
  const end =
    one.status === 'revoked' && one.revokedOn
      ? (['Revoked on', formatDay(one.revokedOn)] as const)
      : ([
          one.status === 'expired' ? 'Expired on' : 'Valid until',
          one.validUntil ? formatDay(one.validUntil) : 'No expiration',
        ] as const)
  return (
    <>
      <div className={styles.verdict} data-status={one.status} role="status">
        <Icon of={verdict.icon} size={24} />
        <p className={styles.verdictTitle}>{verdict.title}</p>
        <p className={styles.verdictText}>{verdict.text}</p>
      </div>
      <div className={styles.body}>
        <p className={styles.lead}>Certification</p>
        <h1 className={styles.title}>{one.certificationName}</h1>
        <p className={styles.holder}>{one.holder}</p>
        {one.description && <p className={styles.description}>{one.description}</p>}
        <div className={styles.split}>
          <dl className={styles.facts}>
            <div>
              <dt>Issued on</dt>
              <dd>{formatDay(one.dateIssued)}</dd>
            </div>
            <div>
              <dt>{end[0]}</dt>
              <dd>{end[1]}</dd>
            </div>
            {one.company.name && (
              <div>
                <dt>Issued by</dt>
                <dd>{one.company.name}</dd>
              </div>
            )}
            <div>
              <dt>Instructor</dt>
              <dd>{one.instructor}</dd>
            </div>
            <div>
              <dt>Short ID</dt>
              <dd className={styles.code}>{groupShortId(one.shortId)}</dd>
            </div>
          </dl>
          <figure className={styles.qr}>
            <img src={one.qrCodeDataURL} width={116} height={116} alt="QR code of this page" />
            <figcaption>Scan to verify</figcaption>
          </figure>
        </div>
        <p className={styles.address}>{one.verificationUrl}</p>
        <p className={styles.printed}>
          Printed on {formatDay(companyDay(now()))}. Scan the code above for the current status.
        </p>
      </div>
      <div className={styles.actions}>
        <Button variant="default" leftSection={<Icon of={IconPrinter} />} onClick={() => window.print()}>
          Print
        </Button>
        {one.status === 'valid' && (
          <Button
            component="a"
            variant="default"
            leftSection={<Icon of={IconDownload} />}
            href={`/api/verify/${one.shortId}/credential`}
            download
          >
            Download signed credential
          </Button>
        )}
      </div>
      {one.status === 'valid' && (
        <p className={styles.note}>
          The download is an Open Badges 3.0 credential. Any wallet or program can check its signature with the keys at{' '}
          <a href="/.well-known/jwks.json">/.well-known/jwks.json</a>.
        </p>
      )}
    </>
  )
}

function NotFound({ message }: { message: string }) {
  return (
    <div className={styles.unknown} role="status">
      <Icon of={IconZoomQuestion} size={24} />
      <h1 className={styles.title}>Certification not found</h1>
      <p>{message}</p>
    </div>
  )
}

/** The public page: no sign-in, no menu, and of the person only first name and initial. */
export default function Verify() {
  const shortId = shortIdOf(usePathname())
  useTitle('Verify a certification')
  const query = useQuery({
    queryKey: ['verify', shortId],
    queryFn: ({ signal }) => send(verifyCertification, { params: { shortId } }, { signal }),
    // The certification may have been revoked a moment ago.
    staleTime: 0,
    retry: (count, error) => error instanceof CallFailure && error.isTransient && count < 2,
  })
  const { error, data } = query
  const isUnknown = error instanceof CallFailure && error.status === 404
  return (
    <div className={styles.screen}>
      <header className={styles.top}>
        <span className={styles.brand}>
          {data?.company.logo ? <img src={data.company.logo} className={styles.logo} alt="" /> : <Logo size={22} />}
          {data?.company.name || 'Limber'}
        </span>
        <span className={styles.toggle}>
          <ThemeToggle />
        </span>
      </header>
      <main className={styles.card}>
        {data && !error && <Certificate one={data} />}
        {isUnknown && <NotFound message={error.message} />}
        {error && !isUnknown && (
          <FailureView
            title="Couldn't verify this certification"
            error={error}
            onRetry={() => void query.refetch()}
            isRetrying={query.isFetching}
          />
        )}
        {!data && !error && (
          <p className={styles.waiting} role="status">
            Verifying…
          </p>
        )}
      </main>
    </div>
  )
}
