import { type CallDefinition, type InputOf, isMutation, type ReplyOf } from '@limber/contract/kit/call.ts'
import { isUnattended } from '../live/attendance.ts'
import { keyFor, saveKey } from './action-keys.ts'
import { CallFailure, failureOf, networkDown, notJson, type RawReply, timedOut } from './call-failure.ts'
import { actionOf, addressOf, csrfToken, keepRequest, type Parts, requests, type SendOptions } from './request.ts'

const TIMEOUT_SECONDS = 30

type Rest<C extends CallDefinition> =
  unknown extends InputOf<C>
    ? [input?: Record<string, never>, options?: SendOptions]
    : [input: InputOf<C>, options?: SendOptions]

type StepUp = (reason: string) => Promise<boolean>
type SessionListener = (call: CallDefinition, status: 401 | 403) => void

const sessionListeners = new Set<SessionListener>()
type MutationListener = (request: string, records: readonly string[]) => void

const mutationListeners = new Set<MutationListener>()
let askStepUp: StepUp | undefined
let pendingStepUp: Promise<boolean> | undefined

/** Calls back when a signed-in call gets 401 or 403. Returns a function that unsubscribes. */
export function onSessionProblem(listener: SessionListener): () => void {
  sessionListeners.add(listener)
  return () => sessionListeners.delete(listener)
}

/**
 * Calls back with each change that succeeded, named like `CallFailure.request`, and the records that it changed. Returns
 * a function that unsubscribes.
 */
export function onMutationSuccess(listener: MutationListener): () => void {
  mutationListeners.add(listener)
  return () => mutationListeners.delete(listener)
}

/** Registers the prompt for a fresh passkey. Returns a function that unregisters it. */
export function provideStepUp(prompt: StepUp): () => void {
  askStepUp = prompt
  return () => {
    if (askStepUp === prompt) askStepUp = undefined
  }
}

function headersOf(call: CallDefinition, key: string | undefined): Record<string, string> {
  const headers: Record<string, string> = { Accept: 'application/json' }
  const token = call.method === 'GET' ? undefined : csrfToken()
  if (token) headers['X-CSRF-Token'] = token
  if (key) headers['Idempotency-Key'] = key
  if (isUnattended()) headers['X-Unattended'] = '1'
  if (call.body && call.bodyType !== 'multipart') headers['Content-Type'] = 'application/json'
  return headers
}

async function viaFetch(
  call: CallDefinition,
  parts: Parts,
  headers: Record<string, string>,
  options: SendOptions,
): Promise<RawReply> {
  const timeout = AbortSignal.timeout(TIMEOUT_SECONDS * 1000)
  try {
    const reply = await fetch(addressOf(call, parts), {
      method: call.method,
      headers,
      credentials: 'same-origin',
      signal: options.signal ? AbortSignal.any([options.signal, timeout]) : timeout,
      ...(call.body ? { body: JSON.stringify(parts.body ?? {}) } : {}),
    })
    return { status: reply.status, text: await reply.text(), header: (name) => reply.headers.get(name) }
  } catch (error) {
    if (options.signal?.aborted) throw error
    throw timeout.aborted ? timedOut(TIMEOUT_SECONDS) : networkDown()
  }
}

function requestStepUp(reason: string): Promise<boolean> {
  if (!askStepUp) return Promise.resolve(false)
  pendingStepUp ??= askStepUp(reason).finally(() => {
    pendingStepUp = undefined
  })
  return pendingStepUp
}

function parse({ status, text }: RawReply): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw notJson(status, text)
  }
}

function readReply<C extends CallDefinition>(call: C, answer: RawReply): ReplyOf<C> {
  const reply = parse(answer)
  // The server's tests enforce the contract, so the browser checks replies in development only.
  if (import.meta.env.DEV) {
    const read = call.reply.safeParse(reply)
    if (!read.success) throw new Error(`${call.method} ${call.path} broke its contract: ${read.error.message}`)
  }
  return reply as ReplyOf<C>
}

/** Sends the call, and sends it again after a successful step-up. */
async function sendWithStepUp<C extends CallDefinition>(
  call: C,
  parts: Parts,
  options: SendOptions,
  key?: string,
): Promise<ReplyOf<C>> {
  const carry = call.bodyType === 'multipart' ? (await import('./upload.ts')).viaXhr : viaFetch
  for (let attempt = 1; ; attempt += 1) {
    const answer = await carry(call, parts, headersOf(call, key), options)
    if (answer.status >= 200 && answer.status < 300) {
      const reply = readReply(call, answer)
      const id = key && answer.header('x-request-id')
      if (id) keepRequest(reply as object, { id, records: answer.header('x-changed')?.split(' ') ?? [] })
      return reply
    }

    const failure = failureOf(answer)
    if (failure.code === 'step_up_required') {
      if (attempt === 1 && (await requestStepUp(failure.message))) continue
      throw failure
    }
    const isWorkers = call.permission !== 'public' && call.permission !== 'attempt'
    const { status } = failure
    if (isWorkers && (status === 401 || status === 403)) for (const listener of sessionListeners) listener(call, status)
    throw failure
  }
}

/** True when the server may have made the change although the reply was lost or unreadable. */
const isOutcomeUnknown = (error: unknown) => !(error instanceof CallFailure) || error.isOutcomeUnknown

/** Sends one call of the contract. The only way from the browser to the server. */
export async function send<C extends CallDefinition>(call: C, ...[input, options = {}]: Rest<C>): Promise<ReplyOf<C>> {
  const parts = (input ?? {}) as Parts
  if (!isMutation(call)) return sendWithStepUp(call, parts, options)
  const action = actionOf(call, parts)
  const key = keyFor(action)
  const request = `${call.method} ${addressOf(call, parts)}`
  try {
    const reply = await sendWithStepUp(call, parts, options, key)
    const records = requests.get(reply as object)?.records ?? []
    for (const listener of mutationListeners) listener(request, records)
    return reply
  } catch (error) {
    if (error instanceof CallFailure) error.request = request
    if (isOutcomeUnknown(error)) saveKey(action, key)
    throw error
  }
}

/** The message to show for any thrown value. */
export const messageOf = (error: unknown): string =>
  error instanceof CallFailure ? error.message : 'Something went wrong on this page. Reload it and try again.'
