import type { Area } from '#platform/area.ts'
import { withExports } from '#platform/exports/export.ts'
import { accessSchedules } from './access.jobs.ts'
import { apiKeyRoutes } from './api-keys/api-key.routes.ts'
import { apiKeyHistory } from './api-keys/api-key-history.queries.ts'
import { auditRoutes } from './audit/audit.routes.ts'
import { accessExports } from './exports.ts'
import { historyRoutes } from './history/history.routes.ts'
import { limitRoutes } from './limits/limits.routes.ts'
import { limitsHistory } from './limits/limits-history.queries.ts'
import { onboardingRoutes } from './onboarding/onboarding.routes.ts'
import { authenticatorRoutes } from './passkeys/authenticator.routes.ts'
import { profileRoutes } from './profile/profile.routes.ts'
import { recoveryRoutes } from './recovery/recovery.routes.ts'
import { recoveryRequestRoutes } from './recovery/recovery-request.routes.ts'
import { sessionRoutes } from './sessions/session.routes.ts'
import { stepUpRoutes } from './sessions/step-up.routes.ts'
import { sampleSignInRoutes } from './sign-in/sample-sign-in.routes.ts'
import { signInRoutes } from './sign-in/sign-in.routes.ts'
import { signInFinishRoutes } from './sign-in/sign-in-finish.routes.ts'
import { signInPasskeyRoutes } from './sign-in/sign-in-passkey.routes.ts'
import { makeWebhookSender } from './webhooks/sender.ts'
import { webhookGauges } from './webhooks/webhook.gauges.ts'
import { webhookRoutes } from './webhooks/webhook.routes.ts'
import { webhookSyncRoutes } from './webhooks/webhook-sync.routes.ts'
import { correctWorkerRoutes } from './workers/correct-worker.routes.ts'
import { workerRoutes } from './workers/worker.routes.ts'
import { workerHistory } from './workers/worker-history.queries.ts'

/** `others` is a function because the areas with the histories are listed next to this one. */
export const accessArea = (others: () => readonly Area[]): Area => ({
  routes: () =>
    withExports(
      [
        ...sessionRoutes,
        ...stepUpRoutes,
        ...signInRoutes,
        ...signInPasskeyRoutes,
        ...signInFinishRoutes,
        ...sampleSignInRoutes,
        ...onboardingRoutes,
        ...recoveryRoutes,
        ...profileRoutes,
        ...authenticatorRoutes,
        ...workerRoutes,
        ...correctWorkerRoutes,
        ...recoveryRequestRoutes,
        ...auditRoutes,
        ...historyRoutes(others),
        ...limitRoutes,
        ...apiKeyRoutes,
        ...webhookRoutes,
        ...webhookSyncRoutes,
      ],
      accessExports,
    ),
  histories: [workerHistory, apiKeyHistory, limitsHistory],
  schedules: accessSchedules,
  gauges: [webhookGauges],
  backgroundLoops: [(services) => makeWebhookSender(services)],
})
