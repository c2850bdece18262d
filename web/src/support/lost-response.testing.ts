import type { CallDefinition, ReplyInputOf } from '@limber/contract/kit/call.ts'
import { type FakeServer, Refusal } from '#platform/testing/testing.tsx'

/** Loses the first response to a call; the second arrives. */
export function loseFirstResponse<C extends CallDefinition>(server: FakeServer, call: C, reply: () => ReplyInputOf<C>) {
  const before = server.callCount(call)
  return server.answer(call, () =>
    server.callCount(call) === before + 1 ? new Refusal(503, 'lost', 'No answer.') : reply(),
  )
}

/** The idempotency keys of a call's requests. */
export const idempotencyKeysOf = (server: FakeServer, call: CallDefinition) =>
  server.requests.filter((one) => one.call === call).map(({ headers }) => headers.get('Idempotency-Key'))
