import type { Route } from '#platform/http/routes.ts'
import { accountRoutes } from './account.routes.ts'
import { customerRoutes } from './customer.routes.ts'
import { emailLogRoutes } from './email-log.routes.ts'
import { inboundRoutes } from './inbound.routes.ts'
import { suggestionRoutes } from './kb-suggestion.routes.ts'
import { noteRoutes } from './note.routes.ts'
import { notificationRoutes } from './notification.routes.ts'
import { savedReplyRoutes } from './saved-reply.routes.ts'
import { textRoutes } from './text.routes.ts'
import { textHookRoutes } from './text-hooks.routes.ts'
import { ticketRoutes } from './ticket.routes.ts'
import { unsubscribeRoutes } from './unsubscribe.routes.ts'
import { userRoutes } from './user.routes.ts'

export const supportRoutes: readonly Route[] = [
  ...customerRoutes,
  ...userRoutes,
  ...noteRoutes,
  ...accountRoutes,
  ...ticketRoutes,
  ...inboundRoutes,
  ...savedReplyRoutes,
  ...suggestionRoutes,
  ...emailLogRoutes,
  ...textRoutes,
  ...textHookRoutes,
  ...notificationRoutes,
  ...unsubscribeRoutes,
]
