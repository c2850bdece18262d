import type { CallDefinition, ReplyInputOf } from '@limber/contract/kit/call.ts'
import { type FakeServer, Refusal } from '#platform/testing/testing.tsx'

/** The first answer to a call is lost on its way; the second arrives. */
export function loseFirst<C extends CallDefinition>(server: FakeServer, call: C, reply: () => ReplyInputOf<C>) {
  const before = server.timesAsked(call)
  return server.answer(call, () =>
    server.timesAsked(call) === before + 1 ? new Refusal(503, 'lost', 'No answer.') : reply(),
  )
}

/** The keys that the requests of a call carried: the same key is the same action. */
export const keysOf = (server: FakeServer, call: CallDefinition) =>
  server.asked.filter((one) => one.call === call).map(({ headers }) => headers.get('Idempotency-Key'))
