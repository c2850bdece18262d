import { listCertifications, listDueCertifications } from '@limber/contract/certifications/certification.ts'
import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import { IconCertificate } from '@tabler/icons-react'
import { send } from '#platform/api/api.ts'
import { hrefTo } from '#platform/routing/links.ts'
import type { TodayItem } from '#platform/routing/sections.ts'

export async function findExpiring(signal: AbortSignal): Promise<TodayItem[]> {
  const { counts } = await send(listCertifications, { query: { limit: '1' } }, { signal })
  const { expiring } = counts
  if (expiring === 0) return []
  return [
    {
      id: 'certifications-expiring',
      need: 'tidy',
      title: pluralize(expiring, 'certification expires soon', 'certifications expire soon'),
      detail: 'Within 30 days',
      path: hrefTo('/certifications', { status: 'expiring', sort: 'until' }),
      icon: IconCertificate,
      action: { label: 'Review' },
    },
  ]
}

/** Certifications whose courses are all completed, each with its form filled in. */
export async function findDue(signal: AbortSignal): Promise<TodayItem[]> {
  const { due } = await send(listDueCertifications, {}, { signal })
  return due.map(({ userId, userName, certificationTypeId, certificationName }) => ({
    id: `certification-due-${userId}-${certificationTypeId}`,
    need: 'waiting',
    title: `Issue ${certificationName} to ${userName}`,
    detail: 'All courses are completed',
    path: hrefTo('/certifications', { view: 'create', user: userId, type: certificationTypeId }),
    icon: IconCertificate,
    action: { label: 'Issue…' },
  }))
}
