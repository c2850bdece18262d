import type { CallDefinition } from '@limber/contract/kit/call.ts'
import { isSteppedUp, mayCall } from '../security/guard-request.ts'
import { check } from './parse-request.ts'
import { refusals } from './refusal.ts'
import type { Context, Route } from './routes.ts'
import { toExpectedRefusal } from './send-failure.ts'

interface Given {
  params?: object
  body?: object
}

/** Refuses what the worker may not call, or only after a passkey. */
export function checkMayCall({ worker, now }: Context, call: CallDefinition): void {
  if (!worker || !mayCall(worker, call)) throw refusals.forbidden()
  if (call.stepUp && !isSteppedUp(worker, now)) throw refusals.stepUp()
}

/** Runs another call in the transaction of this one, for the same worker: its permission, step-up, schemas and rules hold. */
export async function runCall<C extends CallDefinition>(context: Context<C>, route: Route, { params, body }: Given) {
  const { call, handle, options } = route
  if (options.transaction === 'none' || options.isSecret) throw new Error(`${call.path} cannot run inside another call`)
  checkMayCall(context as unknown as Context, call)
  const parts = {
    params: call.params && check(call.params, params, 'path'),
    query: undefined,
    body: call.body && check(call.body, body, 'body'),
  }
  try {
    return await handle({ ...context, ...parts } as unknown as Context)
  } catch (error) {
    throw toExpectedRefusal(error, route)
  }
}
