import type { CallDefinition } from '@limber/contract/kit/call.ts'
import { z } from 'zod'
import type { Route } from './routes.ts'

/** Does the call take the version that its sender saw? */
export function takesVersion({ body }: CallDefinition): boolean {
  const schema = body instanceof z.ZodPipe ? body.in : body
  return schema instanceof z.ZodObject && 'version' in schema.shape
}

/** A change that names no version is carried out, and may undo one that its sender never saw: the log says which did. */
export function logMissingVersion(route: Route): Route {
  const { call, handle } = route
  if (!takesVersion(call)) return route
  return {
    ...route,
    handle(context) {
      // The body of a form with files is read by its handler.
      const body = context.body as { version?: unknown } | undefined
      if (body && body.version === undefined)
        context.services.log.info('changed without a version', {
          call: `${call.method} ${call.path}`,
          requestId: context.request.id,
          workerId: context.worker?.workerId,
        })
      return handle(context)
    },
  }
}
