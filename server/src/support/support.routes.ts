import type { Route } from '#platform/routes.ts'
import { accountRoutes } from './account.routes.ts'
import { customerRoutes } from './customer.routes.ts'
import { noteRoutes } from './note.routes.ts'
import { ticketRoutes } from './ticket.routes.ts'
import { userRoutes } from './user.routes.ts'

export const supportRoutes: readonly Route[] = [
  ...customerRoutes,
  ...userRoutes,
  ...noteRoutes,
  ...accountRoutes,
  ...ticketRoutes,
]
