import type { CallDefinition } from '@limber/contract/kit/call.ts'
import { z } from 'zod'
import type { Route } from './routes.ts'

/** True for a call whose body has a `version`. */
export function takesVersion({ body }: CallDefinition): boolean {
  const schema = body instanceof z.ZodPipe ? body.in : body
  return schema instanceof z.ZodObject && 'version' in schema.shape
}

/** Logs changes without a version. They are accepted, but may overwrite a change that the sender never saw. */
export function logMissingVersion(route: Route): Route {
  const { call, handle } = route
  if (!takesVersion(call)) return route
  return {
    ...route,
    handle(context) {
      // Multipart bodies are read by the handler.
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
