import { checkSession, signOut } from './access/session.ts'
import type { CallDefinition } from './kit/call.ts'

/** Every call of the product, for the server, the tests and the API page. */
export const calls: readonly CallDefinition[] = [checkSession, signOut]
