import type { CallDefinition, InputOf } from '@limber/contract/kit/call.ts'
import type { SendExtras, TestServer } from '#platform/testing/testing.ts'
import { type ApiKeyDraft, makeApiKey } from './api-key.factory.ts'

/** A program with an API key of its own: every scope and the source `app` unless told. */
export async function asProgram(server: TestServer, draft: ApiKeyDraft = {}) {
  const { token } = await makeApiKey(server.db, { requestsPerMinute: 60_000, ...draft })
  const anonymous = server.anonymous()
  return {
    send: <C extends CallDefinition>(
      call: C,
      input?: Partial<InputOf<C>> & Record<string, unknown>,
      { headers, ...extras }: SendExtras = {},
    ) => anonymous.send(call, input, { ...extras, headers: { authorization: `Bearer ${token}`, ...headers } }),
  }
}
