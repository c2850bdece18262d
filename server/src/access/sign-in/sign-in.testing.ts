import { randomBytes } from 'node:crypto'
import type { PasskeyRequest } from '@limber/contract/access/passkeys/passkey.ts'
import type { PermissionName } from '@limber/contract/access/permissions.ts'
import {
  finalizeLogin,
  SIGN_IN_FAILED,
  verifyCredentials,
  verifyDeviceAuth,
  verifyPasskey,
  verifyTwoFactor,
} from '@limber/contract/access/sign-in/sign-in.ts'
import type { CallDefinition, InputOf } from '@limber/contract/kit/call.ts'
import { expect } from 'vitest'
import { type Log, silentLog } from '#platform/telemetry/log.ts'
import { type SendExtras, startTestServer, type TestReply, type TestServer } from '#platform/testing/testing.ts'
import { SoftPasskey } from '../passkeys/passkey.testing.ts'
import { makeWorker } from '../workers/worker.factory.ts'
import { makeTotpSecret, totpCode, totpStep } from './totp.rules.ts'

// A 500 is always a defect. Logging it to the console fails the test.
const strictLog: Log = {
  ...silentLog,
  // biome-ignore lint/suspicious/noConsole: the test guard listens there
  error: (message, fields) => console.error(message, fields),
}

/** A server for access tests, behind one proxy so that each browser can have its own address. */
export const startAccessServer = (env: NodeJS.ProcessEnv = {}) =>
  startTestServer({ log: strictLog, env: { TRUST_PROXY: '1', ...env } })

/** A browser with cookies, CSRF token and one IP address. */
export interface Browser {
  cookies: Map<string, string>
  address: string
  send<C extends CallDefinition>(
    call: C,
    input?: Partial<InputOf<C>> & Record<string, unknown>,
    extras?: SendExtras,
  ): Promise<TestReply<C>>
}

export function openBrowser(server: TestServer, cookies = new Map<string, string>()): Browser {
  const address = `10.${[...randomBytes(3)].join('.')}`
  return {
    cookies,
    address,
    async send(call, input, { headers, ...extras } = {}) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const csrf = cookies.get('csrf')
      const reply = await server.anonymous().send(call, input, {
        headers: {
          'x-forwarded-for': address,
          ...(cookie && { cookie }),
          ...(csrf && call.method !== 'GET' && { 'x-csrf-token': csrf }),
          ...headers,
        },
        ...extras,
      })
      for (const line of reply.headers.getSetCookie()) {
        const [pair = ''] = line.split(';')
        const at = pair.indexOf('=')
        if (/Max-Age=0/.test(line)) cookies.delete(pair.slice(0, at))
        else cookies.set(pair.slice(0, at), pair.slice(at + 1))
      }
      return reply
    },
  }
}

/** A worker with passkey and authenticator app, as after onboarding. */
export interface Account {
  id: number
  email: string
  name: string
  secret: string
  passkey: SoftPasskey
  lastStep: number
}

export interface AccountOptions {
  permissions?: readonly PermissionName[]
  role?: string
  withoutPasskey?: boolean
  withoutTotp?: boolean
}

export async function makeAccount(server: TestServer, options: AccountOptions = {}): Promise<Account> {
  const { keyring } = server.running.services
  const now = server.clock.now()
  const { id, email, name } = await makeWorker(server.db, {
    permissions: options.permissions ?? [],
    ...(options.role && { role: options.role, permissions: options.permissions }),
    createdAt: now,
  } as Parameters<typeof makeWorker>[1])
  const secret = makeTotpSecret()
  const passkey = new SoftPasskey()
  if (!options.withoutTotp)
    await server.db
      .updateTable('workers')
      .set({ totp_secret: keyring.seal('totp', secret), totp_confirmed_at: now })
      .where('id', '=', id)
      .execute()
  const { handle } = await server.db
    .selectFrom('workers')
    .select('handle')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  passkey.handle = handle
  if (!options.withoutPasskey) await addPasskey(server, id, passkey)
  return { id, email, name, secret, passkey, lastStep: 0 }
}

export const addPasskey = (server: TestServer, workerId: number, passkey: SoftPasskey) =>
  server.db
    .insertInto('passkeys')
    .values({
      ...passkey.stored(),
      worker_id: workerId,
      link_id: null,
      name: 'Test passkey',
      created_at: server.clock.now(),
      confirmed_at: server.clock.now(),
      last_used_at: null,
      revoked_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()

/** The text of the newest email to an address with this key prefix. */
export async function readMail(server: TestServer, to: string, key: string): Promise<string | undefined> {
  const rows = await server.db
    .selectFrom('outbox')
    .select(['payload', 'key'])
    .where('key', 'like', `${key}:%`)
    .orderBy('id', 'desc')
    .execute()
  for (const row of rows) {
    const mail = JSON.parse(server.running.services.keyring.open('outbox', row.payload)) as { to: string; text: string }
    if (mail.to === to) return mail.text
  }
  return undefined
}

export async function readCode(server: TestServer, email: string): Promise<string> {
  const code = /\b\d{6}\b/.exec((await readMail(server, email, 'device-code')) ?? '')?.[0]
  if (!code) throw new Error(`No code was mailed to ${email}`)
  return code
}

/** Changes the last digit of a code. */
export const wrongCode = (code: string) => code.slice(0, 5) + String((Number(code[5]) + 1) % 10)

/** The app's current code. Advances the clock if its time step was used already. */
export function freshTotp(server: TestServer, account: Account): string {
  if (totpStep(server.clock.now()) <= account.lastStep)
    server.clock.advance((account.lastStep + 1) * 30_000 - server.clock.now().getTime())
  account.lastStep = totpStep(server.clock.now())
  return totpCode(account.secret, account.lastStep)
}

export type Reached = 'code_sent' | 'device_ok' | 'passkey_ok' | 'totp_ok' | 'signed_in'

/** A sign-in attempt with the input for its next step. */
export interface SignIn {
  browser: Browser
  email: string
  userId: string
  deviceId: string
  sessionToken: string
  options: PasskeyRequest | null
  replies: TestReply[]
}

function expectDone(reply: TestReply, step: string): void {
  if (reply.status !== 200) throw new Error(`${step} answered ${reply.status} ${reply.text}`)
}

/** Runs a sign-in up to a stage. Throws when a step fails. */
export async function signInUntil(
  server: TestServer,
  account: Account,
  until: Reached,
  browser = openBrowser(server),
): Promise<SignIn> {
  const { email } = account
  const begun = await browser.send(verifyCredentials, { body: { email } })
  expectDone(begun, 'verify-credentials')
  const { userId, deviceId, requiresDeviceAuth } = begun.body
  const way: SignIn = { browser, email, userId, deviceId, ...pick(begun.body), replies: [begun] }
  if (until === 'code_sent') return way
  if (requiresDeviceAuth) {
    const body = { email, code: await readCode(server, email), deviceId, sessionToken: way.sessionToken }
    advanceTo(way, await browser.send(verifyDeviceAuth, { body }), 'verify-device-auth')
  }
  if (until === 'device_ok') return way
  if (!way.options) throw new Error('There are no options for the passkey step')
  const credential = account.passkey.get(way.options)
  const proven = await browser.send(verifyPasskey, { body: { email, credential, sessionToken: way.sessionToken } })
  advanceTo(way, proven, 'verify-passkey')
  if (until === 'passkey_ok') return way
  return finishSignIn(server, account, way, until)
}

async function finishSignIn(server: TestServer, account: Account, way: SignIn, until: Reached): Promise<SignIn> {
  const { userId } = way
  const code = freshTotp(server, account)
  const checked = await way.browser.send(verifyTwoFactor, { body: { userId, code, sessionToken: way.sessionToken } })
  advanceTo(way, checked, 'verify-2fa')
  if (until === 'totp_ok') return way
  const done = await way.browser.send(finalizeLogin, { body: { userId, sessionToken: way.sessionToken } })
  expectDone(done, 'finalize-login')
  way.replies.push(done)
  return way
}

const pick = (body: { sessionToken: string; options?: PasskeyRequest | null }) => ({
  sessionToken: body.sessionToken,
  options: body.options ?? null,
})

function advanceTo(
  way: SignIn,
  reply: { status: number; text: string; body: { sessionToken: string; options?: PasskeyRequest | null } },
  step: string,
) {
  expectDone(reply as TestReply, step)
  Object.assign(way, pick(reply.body))
  way.replies.push(reply as TestReply)
}

export const signedIn = async (server: TestServer, account: Account) =>
  (await signInUntil(server, account, 'signed_in')).browser

/** The reason of a refusal, which only the audit log has. */
export async function auditReason(server: TestServer, reply: Pick<TestReply, 'headers'>): Promise<string | null> {
  const rows = await server.db
    .selectFrom('audit_log')
    .select(['reason', 'action'])
    .where('request_id', '=', reply.headers.get('x-request-id'))
    .where('outcome', '=', 'refused')
    .execute()
  return rows[0]?.reason ?? null
}

/** Expects the shared refusal of all sign-in steps, with this reason in the audit log. */
export async function expectRefused(server: TestServer, reply: TestReply, reason: string) {
  expect(await auditReason(server, reply)).toBe(reason)
  const failure = { success: false, error: SIGN_IN_FAILED, message: SIGN_IN_FAILED, code: 'sign_in_failed' }
  expect([reply.status, reply.text]).toEqual([401, JSON.stringify(failure)])
}

export const attemptRow = (server: TestServer, way: Pick<SignIn, 'deviceId'>) =>
  server.db.selectFrom('sign_in_attempts').selectAll().where('device_key', '=', way.deviceId).executeTakeFirstOrThrow()

export const countSessions = async (server: TestServer, workerId: number) =>
  (
    await server.db
      .selectFrom('sessions')
      .select('id')
      .where('worker_id', '=', workerId)
      .where('ended_at', 'is', null)
      .execute()
  ).length
