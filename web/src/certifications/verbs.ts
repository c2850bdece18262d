import { listCertifications } from '@limber/contract/certifications/certification.ts'
import { IconCertificate } from '@tabler/icons-react'
import { send } from '#platform/api/api.ts'
import { hrefTo } from '#platform/routing/links.ts'
import type { PaletteItem } from '#platform/routing/sections.ts'
import { eachTo, type Verb } from '#platform/routing/verbs.ts'

const common = { permission: 'businesses.manage', icon: IconCertificate, screen: '/certifications' } as const

const sentences = () => import('./certification-sentences.ts')

/** Users who can receive a certification, stretchers first, and the types that can be issued. */
const findToIssue: NonNullable<Verb['options']> = async (text, signal) => {
  const search = text.trim()
  if (search === '') return []
  const { findPeopleToIssue, findTypesToIssue } = await sentences()
  const found = await Promise.all([findPeopleToIssue(search, signal), findTypesToIssue(search, signal)])
  return found.flat()
}

async function findHeld(text: string, signal: AbortSignal): Promise<PaletteItem[]> {
  const query = { search: text.trim(), status: 'valid', limit: '5' } as const
  const { certifications } = await send(listCertifications, { query }, { signal })
  return certifications.map(({ id, userName, certificationName }) => ({
    id: `certification-${id}`,
    title: userName,
    detail: certificationName,
    icon: IconCertificate,
    run: (go) => go(hrefTo('/certifications', { certification: id })),
  }))
}

const onHeld = eachTo(findHeld, (certification) => hrefTo('/certifications', { certification }))

export const certificationVerbs: readonly Verb[] = [
  {
    ...common,
    id: 'certification-issue',
    title: 'Issue certification…',
    calls: ['POST /certifications'],
    options: findToIssue,
  },
  {
    ...common,
    id: 'certification-revoke',
    title: 'Revoke certification…',
    words: 'change delete',
    calls: ['POST /certifications/:id/revoke', 'PUT /certifications/:id', 'DELETE /certifications/:id'],
    options: onHeld,
  },
  {
    ...common,
    id: 'certification-types',
    title: 'Change certification types',
    words: 'new courses required retire',
    calls: ['POST /certifications/types', 'PUT /certifications/types/:id', 'DELETE /certifications/types/:id'],
    run: (go) => go(hrefTo('/certifications', { view: 'types' })),
  },
]
