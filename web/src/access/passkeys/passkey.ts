import type { PasskeyCreation, PasskeyRequest } from '@limber/contract/access/passkeys/passkey.ts'
import {
  browserSupportsWebAuthn,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
} from '@simplewebauthn/browser'

export const NO_PASSKEYS = 'This device does not support passkeys. Use a passkey-compatible device.'

/** Why the browser returned no passkey: a message for the user and a code for support. */
export class PasskeyError extends Error {
  override readonly name = 'PasskeyProblem'
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

const messages: Record<string, string> = {
  ERROR_CEREMONY_ABORTED: 'The passkey prompt was closed or took too long. Try again when you are ready.',
  ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED: 'This device already has a passkey for your account. Use another device.',
  ERROR_AUTHENTICATOR_MISSING_USER_VERIFICATION_SUPPORT:
    'This passkey cannot verify that it is you. Set up a screen lock, fingerprint or PIN, or use another device.',
  ERROR_AUTHENTICATOR_MISSING_DISCOVERABLE_CREDENTIAL_SUPPORT:
    'This security key cannot store passkeys. Use another one.',
  ERROR_AUTHENTICATOR_NO_SUPPORTED_PUBKEYCREDPARAMS_ALG:
    "Limber does not support this device's passkeys. Use another device.",
  ERROR_AUTHENTICATOR_GENERAL_ERROR: "The device couldn't use its passkey. Unlock it and try again.",
  ERROR_INVALID_DOMAIN: 'Passkeys do not work at this address. Open Limber at its usual address.',
  ERROR_INVALID_RP_ID: 'Passkeys do not work at this address. Open Limber at its usual address.',
  ERROR_NOT_SUPPORTED: NO_PASSKEYS,
}

const rawCode = (error: Error) => ('code' in error && typeof error.code === 'string' ? error.code : '')

/** Browsers throw NotAllowedError for a closed prompt, a timeout and a missing passkey alike. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'ERROR_UNKNOWN'
  const cause = error.cause instanceof Error ? error.cause : error
  if (cause.name === 'NotAllowedError' || cause.name === 'AbortError') return 'ERROR_CEREMONY_ABORTED'
  return /^ERROR_[A-Z_]+$/.test(rawCode(error)) ? rawCode(error) : 'ERROR_UNKNOWN'
}

async function runCeremony<T>(ceremony: () => Promise<T>): Promise<T> {
  if (!supportsPasskeys()) throw new PasskeyError('ERROR_NOT_SUPPORTED', NO_PASSKEYS)
  try {
    return await ceremony()
  } catch (error) {
    const code = codeOf(error)
    throw new PasskeyError(
      code,
      messages[code] ?? "The browser couldn't use a passkey. Try again or use another device.",
    )
  }
}

export const supportsPasskeys = (): boolean => browserSupportsWebAuthn()

export const createPasskey = (options: PasskeyCreation) =>
  runCeremony(() => startRegistration({ optionsJSON: options }))

export const provePasskey = (options: PasskeyRequest) =>
  runCeremony(() => startAuthentication({ optionsJSON: options }))

/** Closes the browser's prompt. */
export const cancelPasskey = (): void => WebAuthnAbortService.cancelCeremony()
