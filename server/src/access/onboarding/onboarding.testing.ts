import {
  confirmMfa,
  enableMultiDevice,
  finalizeOnboarding,
  finishOnboardingPasskey,
  setMfa,
  startOnboardingPasskey,
} from '@limber/contract/access/onboarding/onboarding.ts'
import type { TestServer } from '#platform/testing/testing.ts'
import { SoftPasskey } from '../passkeys/passkey.testing.ts'
import { type Account, type Browser, openBrowser } from '../sign-in/sign-in.testing.ts'
import { totpCode, totpStep } from '../sign-in/totp.rules.ts'
import { makeWorker, type WorkerDraft } from '../workers/worker.factory.ts'
import { issueLink } from './onboarding.queries.ts'

/** An onboarding worker with a link and a browser. */
export interface Newcomer extends Account {
  token: string
  browser: Browser
}

export async function inviteNewcomer(server: TestServer, draft: WorkerDraft = {}): Promise<Newcomer> {
  const { id, email, name } = await makeWorker(server.db, { status: 'invited', ...draft })
  return newcomer(server, { id, email, name }, 'invite')
}

/** A link for an existing worker. */
export async function newcomer(
  server: TestServer,
  person: { id: number; email: string; name: string },
  purpose: 'invite' | 'recovery',
): Promise<Newcomer> {
  const { token } = await issueLink(server.db, person.id, purpose, server.clock.now())
  return { ...person, secret: '', passkey: new SoftPasskey(), lastStep: 0, token, browser: openBrowser(server) }
}

export const stages = ['passkey', 'secret', 'mfa', 'multi_device', 'done'] as const
export type OnboardingStage = (typeof stages)[number]

/** Runs onboarding up to a stage. Returns the last reply when it completes. */
export async function onboardUntil(server: TestServer, who: Newcomer, until: OnboardingStage) {
  const { browser, token } = who
  const started = await browser.send(startOnboardingPasskey, { body: { token } })
  const credential = who.passkey.create(started.body.options)
  const finished = await browser.send(finishOnboardingPasskey, { body: { token, credential } })
  if (finished.status !== 200) throw new Error(finished.text)
  if (until === 'passkey') return undefined
  who.secret = (await browser.send(setMfa, { body: { token } })).body.mfa.secret
  if (until === 'secret') return undefined
  who.lastStep = totpStep(server.clock.now())
  await browser.send(confirmMfa, { body: { token, code: totpCode(who.secret, who.lastStep) } })
  if (until === 'mfa') return undefined
  await browser.send(enableMultiDevice, { body: { token } })
  if (until === 'multi_device') return undefined
  const done = await browser.send(finalizeOnboarding, { body: { token } })
  if (done.status !== 200) throw new Error(done.text)
  return done.body
}
