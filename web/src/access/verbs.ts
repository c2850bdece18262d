import {
  IconApi,
  IconGauge,
  IconKey,
  IconUserCheck,
  IconUserPlus,
  IconUserShield,
  IconWebhook,
} from '@tabler/icons-react'
import { hrefDoing } from '#platform/routing/intent.ts'
import { hrefTo } from '#platform/routing/links.ts'
import { eachTo, idIn, idOf, type RecentKind, type Verb } from '#platform/routing/verbs.ts'
import { findWorkers } from './palette-search.ts'

const manage = { permission: 'access.manage', screen: '/worker/tech/access' } as const
const onWorker = eachTo(findWorkers, (worker) => hrefTo('/worker/tech/access', { worker }))
const worker = (id: string, title: string, calls: string[], words?: string, more: Partial<Verb> = {}): Verb => ({
  ...manage,
  id,
  title,
  ...(words && { words }),
  icon: IconUserShield,
  calls: calls.map((call) => call.replace(' ', ' /api/access/workers/:id')),
  of: 'worker',
  options: onWorker,
  ...more,
})

const sayDisable = async (id: number) => (await import('./workers/worker-sentences.ts')).disableSentence(id)

export const accessRecents: readonly RecentKind[] = [
  {
    of: 'worker',
    prefix: 'worker',
    permission: 'access.manage',
    icon: IconUserShield,
    hrefOf: (worker) => hrefTo('/worker/tech/access', { worker }),
  },
]

export const accessVerbs: readonly Verb[] = [
  {
    ...manage,
    id: 'worker-invite',
    title: 'Invite worker',
    words: 'new colleague staff',
    icon: IconUserPlus,
    calls: ['POST /api/access/workers/invite'],
    run: (go) => go(hrefDoing('/worker/tech/access', 'invite')),
  },
  worker('worker-permissions', 'Change permissions of…', ['PATCH ', 'PATCH /permissions'], 'role worker'),
  worker(
    'worker-disable',
    'Disable worker…',
    ['POST /disable', 'POST /enable', 'POST /end-sessions'],
    'enable sessions',
    {
      options: async (text, signal) =>
        (await findWorkers(text, signal)).map((item) => ({ ...item, sentence: () => sayDisable(idOf(item)) })),
      current: (search) => {
        const id = idIn(search, 'worker')
        if (id === undefined) return undefined
        return { id: `worker-${id}`, title: 'this worker', run: () => undefined, sentence: () => sayDisable(id) }
      },
    },
  ),
  worker('worker-link', 'Send sign-up link to…', ['POST /resend-link', 'POST /revoke-link', 'POST /show-link']),
  {
    ...manage,
    id: 'limits',
    title: 'Change sign-in limits',
    icon: IconGauge,
    calls: ['POST /api/access/limits'],
    run: (go) => go(hrefDoing('/worker/tech/access', 'limits')),
  },
  {
    ...manage,
    id: 'recoveries',
    title: 'Decide on recoveries',
    words: 'approve deny lost passkey',
    icon: IconUserCheck,
    screen: '/worker/tech/access/recoveries',
    calls: ['POST /api/access/recoveries/:id/approve', 'POST /api/access/recoveries/:id/deny'],
    run: (go) => go(hrefTo('/worker/tech/access/recoveries')),
  },
  {
    ...manage,
    id: 'api-keys',
    title: 'Change API keys',
    words: 'create rotate revoke program',
    icon: IconApi,
    screen: '/worker/tech/access/api-keys',
    calls: [
      'POST /api/access/api-keys',
      'PATCH /api/access/api-keys/:id',
      'POST /api/access/api-keys/:id/revoke',
      'POST /api/access/api-keys/:id/rotate',
    ],
    run: (go) => go(hrefTo('/worker/tech/access/api-keys')),
  },
  {
    ...manage,
    id: 'webhooks',
    title: 'Change webhooks',
    words: 'endpoint create test redeliver rotate',
    icon: IconWebhook,
    screen: '/worker/tech/access/webhooks',
    calls: [
      'POST /api/access/webhooks',
      'PATCH /api/access/webhooks/:id',
      'DELETE /api/access/webhooks/:id',
      'POST /api/access/webhooks/:id/test',
      'POST /api/access/webhooks/:id/rotate',
      'POST /api/access/webhooks/:id/redeliver',
      'POST /api/access/webhooks/:id/deliveries/:deliveryId/redeliver',
    ],
    run: (go) => go(hrefTo('/worker/tech/access/webhooks')),
  },
  {
    ...manage,
    id: 'audit-verify',
    title: 'Verify the audit log',
    icon: IconUserShield,
    screen: '/worker/tech/access/audit',
    calls: [],
    run: (go) => go(hrefTo('/worker/tech/access/audit')),
  },
  {
    id: 'profile',
    title: 'Change my profile',
    words: 'passkey recovery codes authenticator devices sessions name',
    permission: 'signed-in',
    icon: IconKey,
    screen: '/dashboard/worker-profile',
    calls: [
      'PATCH /api/profile',
      'PATCH /api/profile/passkeys/:id',
      'DELETE /api/profile/passkeys/:id',
      'DELETE /api/profile/devices/:id',
      'DELETE /api/profile/sessions/:id',
      'POST /api/profile/recovery-codes',
      'POST /api/profile/authenticator/start',
      'POST /api/profile/passkeys/start',
      'POST /api/auth/sign-out-everywhere',
    ],
    run: (go) => go(hrefTo('/dashboard/worker-profile')),
  },
]
