import type { Route } from '#platform/http/routes.ts'
import { auditRoutes } from './audit.routes.ts'
import { authenticatorRoutes } from './authenticator.routes.ts'
import { correctWorkerRoutes } from './correct-worker.routes.ts'
import { limitRoutes } from './limits.routes.ts'
import { onboardingRoutes } from './onboarding.routes.ts'
import { profileRoutes } from './profile.routes.ts'
import { recoveryRoutes } from './recovery.routes.ts'
import { recoveryRequestRoutes } from './recovery-request.routes.ts'
import { sampleDoorRoutes } from './sample-door.routes.ts'
import { sessionRoutes } from './session.routes.ts'
import { signInRoutes } from './sign-in.routes.ts'
import { signInFinishRoutes } from './sign-in-finish.routes.ts'
import { signInPasskeyRoutes } from './sign-in-passkey.routes.ts'
import { stepUpRoutes } from './step-up.routes.ts'
import { workerRoutes } from './worker.routes.ts'

/** Every call of the access area. */
export const accessRoutes: Route[] = [
  ...sessionRoutes,
  ...stepUpRoutes,
  ...signInRoutes,
  ...signInPasskeyRoutes,
  ...signInFinishRoutes,
  ...sampleDoorRoutes,
  ...onboardingRoutes,
  ...recoveryRoutes,
  ...profileRoutes,
  ...authenticatorRoutes,
  ...workerRoutes,
  ...correctWorkerRoutes,
  ...recoveryRequestRoutes,
  ...auditRoutes,
  ...limitRoutes,
]
