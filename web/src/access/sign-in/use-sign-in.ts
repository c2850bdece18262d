import type { PasskeyRequest } from '@limber/contract/access/passkeys/passkey.ts'
import {
  finalizeLogin,
  finishPasskeySetup,
  resendDeviceCode,
  startPasskeySetup,
  startPasskeyStep,
  verifyCredentials,
  verifyDeviceAuth,
  verifyPasskey,
  verifyTwoFactor,
} from '@limber/contract/access/sign-in/sign-in.ts'
import { useEffect, useRef, useState } from 'react'
import { send } from '#platform/api/api.ts'
import { CallFailure } from '#platform/api/call-failure.ts'
import { now } from '#platform/clock.ts'
import { replacePath } from '#platform/routing/pathname.ts'
import { cancelPasskey, createPasskey, provePasskey, supportsPasskeys } from '../passkeys/passkey.ts'
import { attempt, causeOf } from './step-failure.ts'

/** `finish`: every step is confirmed and only the last call failed. */
export type SignInStep = 'email' | 'device-auth' | 'passkey-setup' | 'passkey' | '2fa' | 'finish'

// The server ends an attempt after ten minutes or after five wrong inputs in one step.
const LIFE = 10 * 60_000
const MAX_TRIES = 5
// A challenge lives five minutes on the server. The margin avoids using one that is about to expire.
const CHALLENGE_LIFE = 4 * 60_000

const TOO_LATE = 'This sign-in expired after ten minutes. Start over with your email.'
const ENDED = 'This sign-in has ended. Start over with your email.'
const TOO_MANY = 'This sign-in ended after five failed attempts. Start over with your email.'

/** The browser's side of a sign-in attempt. */
interface Attempt {
  email: string
  userId: string
  deviceId: string
  sessionToken: string
  startedAt: number
  challenge?: { options: PasskeyRequest; at: number } | undefined
  failures: number
  isProven?: boolean
}

const clock = () => now().getTime()
const challengeOf = (options: PasskeyRequest | null) => (options ? { options, at: clock() } : undefined)

/** The steps of a sign-in. The server decides their order. */
export function useSignIn() {
  const [step, setStep] = useState<SignInStep>('email')
  const [failure, setFailure] = useState<unknown>()
  const [notice, setNotice] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const [isKnownBrowser, setKnownBrowser] = useState(false)
  const [hasMailServer, setMailServer] = useState(true)
  const [email, setEmail] = useState('')
  const attemptRef = useRef<Attempt>(undefined)
  // Incremented on restart, so that results of calls still in flight are ignored.
  const generation = useRef(0)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  const restart = (reason?: string) => {
    generation.current += 1
    clearTimeout(timer.current)
    cancelPasskey()
    attemptRef.current = undefined
    setBusy(false)
    setFailure(undefined)
    setNotice(reason)
    setStep('email')
  }

  /** Restarts the ten minutes. */
  const restartTimer = () => {
    if (attemptRef.current) attemptRef.current.startedAt = clock()
    clearTimeout(timer.current)
    timer.current = setTimeout(() => restart(TOO_LATE), LIFE)
  }
  useEffect(() => () => clearTimeout(timer.current), [])

  const refuse = (error: unknown) => {
    const cause = causeOf(error)
    const open = attemptRef.current
    if (open && cause instanceof CallFailure && cause.code === 'sign_in_failed') {
      // The last call has no input to correct, so a refusal is final.
      if (open.isProven) return restart(ENDED)
      open.failures += 1
      if (clock() - open.startedAt >= LIFE) return restart(TOO_LATE)
      if (open.failures >= MAX_TRIES) return restart(TOO_MANY)
    }
    setFailure(error)
  }

  /** Runs one step at a time and shows its error. */
  const run = async (work: () => Promise<void>) => {
    if (isBusy) return
    const mine = generation.current
    setBusy(true)
    setFailure(undefined)
    setNotice(undefined)
    try {
      await work()
    } catch (error) {
      if (generation.current === mine) refuse(error)
    } finally {
      if (generation.current === mine) setBusy(false)
    }
  }

  const goTo = (next: SignInStep, change: Partial<Attempt>) => {
    if (attemptRef.current) Object.assign(attemptRef.current, { failures: 0, ...change })
    setStep(next)
  }

  const open = () => {
    if (!attemptRef.current) throw new Error('No sign-in has begun')
    return attemptRef.current
  }

  const prove = async () => {
    const { email, sessionToken, challenge } = open()
    const isFresh = challenge && clock() - challenge.at < CHALLENGE_LIFE
    const { options } = isFresh
      ? challenge
      : await attempt('Failed to verify passkey', send(startPasskeyStep, { body: { sessionToken } }))
    Object.assign(open(), { challenge: { options, at: isFresh ? challenge.at : clock() } })
    const credential = await provePasskey(options)
    // A submitted challenge is used up, whether it succeeds or not.
    Object.assign(open(), { challenge: undefined })
    const body = { email, credential, sessionToken }
    const next = await attempt('Failed to verify passkey', send(verifyPasskey, { body }))
    goTo('2fa', { sessionToken: next.sessionToken })
  }

  const toPasskey = async (sessionToken: string, options: PasskeyRequest | null) => {
    goTo('passkey', { sessionToken, challenge: challengeOf(options) })
    // Browsers allow the prompt because the user just pressed a button.
    if (supportsPasskeys()) await prove()
  }

  const begin = (address: string) =>
    run(async () => {
      setEmail(address)
      const body = { email: address }
      const reply = await attempt('Failed to verify credentials', send(verifyCredentials, { body }))
      const { userId, deviceId, sessionToken } = reply
      attemptRef.current = {
        email: address,
        userId,
        deviceId,
        sessionToken,
        startedAt: clock(),
        failures: 0,
      }
      restartTimer()
      setKnownBrowser(!reply.requiresDeviceAuth)
      setMailServer(reply.hasMailServer)
      if (reply.requiresDeviceAuth) return goTo('device-auth', {})
      if (reply.requiresPasskeySetup) return goTo('passkey-setup', {})
      await toPasskey(sessionToken, reply.options)
    })

  const proveDevice = (code: string) =>
    run(async () => {
      const { email, deviceId, sessionToken } = open()
      const body = { email, code, deviceId, sessionToken }
      const next = await attempt('Failed to verify device auth code', send(verifyDeviceAuth, { body }))
      if (next.requiresPasskeySetup) return goTo('passkey-setup', { sessionToken: next.sessionToken })
      await toPasskey(next.sessionToken, next.options)
    })

  const resend = async () => {
    let isSent = false
    await run(async () => {
      const { sessionToken } = open()
      const body = { sessionToken }
      const next = await attempt("Couldn't resend the code", send(resendDeviceCode, { body }))
      // The new code and the attempt get ten minutes from now.
      Object.assign(open(), { sessionToken: next.sessionToken })
      restartTimer()
      isSent = true
    })
    return isSent
  }

  const setUp = () =>
    run(async () => {
      const { sessionToken } = open()
      const start = send(startPasskeySetup, { body: { sessionToken } })
      const { options } = await attempt('Failed to start passkey setup', start)
      const credential = await createPasskey(options)
      const finish = send(finishPasskeySetup, { body: { credential, sessionToken } })
      const next = await attempt('Failed to complete passkey setup', finish)
      await toPasskey(next.sessionToken, next.options)
    })

  const finish = async () => {
    const { userId, sessionToken } = open()
    try {
      await attempt('Failed to finalize login', send(finalizeLogin, { body: { userId, sessionToken } }))
    } catch (error) {
      setStep('finish')
      throw error
    }
    replacePath('/redirect')
  }

  const proveTwoFactor = (code: string) =>
    run(async () => {
      const { userId, sessionToken } = open()
      const body = { userId, code, sessionToken }
      const next = await attempt('Failed to verify 2FA code', send(verifyTwoFactor, { body }))
      Object.assign(open(), { sessionToken: next.sessionToken, failures: 0, isProven: true })
      await finish()
    })

  const actions = {
    begin,
    proveDevice,
    resend,
    setUp,
    prove: () => run(prove),
    proveTwoFactor,
    finish: () => run(finish),
    restart: () => restart(),
  }
  return { step, email, failure, notice, isBusy, isKnownBrowser, hasMailServer, ...actions }
}

export type SignIn = ReturnType<typeof useSignIn>
