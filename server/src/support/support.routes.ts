import type { Route } from '#platform/routes.ts'
import { customerRoutes } from './customer.routes.ts'
import { ticketRoutes } from './ticket.routes.ts'

export const supportRoutes: readonly Route[] = [...customerRoutes, ...ticketRoutes]
