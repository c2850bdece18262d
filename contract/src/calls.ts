import { checkSession, signOut } from './access/session.ts'
import type { CallDefinition } from './kit/call.ts'
import { checkAlive, checkReady, openLive, readApiPage, readOpenApi } from './kit/meta.ts'
import { listUsers } from './support/customer.ts'

const meta = [checkAlive, checkReady, openLive, readOpenApi, readApiPage]
const access = [checkSession, signOut]

const support = [listUsers]

/** Every call of the product, for the server, the tests and the API page. */
export const calls: readonly CallDefinition[] = [...meta, ...access, ...support]
