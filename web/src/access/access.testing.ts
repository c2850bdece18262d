import type { PasskeyCreation, PasskeyRequest } from '@limber/contract/access/passkeys/passkey.ts'
import type { Profile } from '@limber/contract/access/profile/profile.ts'
import type { RecoveryRequest, WorkerDetail } from '@limber/contract/access/workers/worker.ts'
import { vi } from 'vitest'
import { Refusal } from '#platform/testing/testing.tsx'

const bytes = (text: string) => new TextEncoder().encode(text).buffer

const credential = (response: object) => ({
  id: 'cGFzc2tleQ',
  rawId: bytes('passkey'),
  type: 'public-key',
  authenticatorAttachment: 'platform',
  getClientExtensionResults: () => ({}),
  response,
})

/** Fakes the browser's passkeys. They work by default. */
export function fakePasskeys() {
  const create = vi.fn(
    async (_: unknown): Promise<unknown> =>
      credential({
        clientDataJSON: bytes('{}'),
        attestationObject: bytes('made'),
        getTransports: () => ['internal'],
      }),
  )
  const get = vi.fn(
    async (_: unknown): Promise<unknown> =>
      credential({ clientDataJSON: bytes('{}'), authenticatorData: bytes('data'), signature: bytes('proof') }),
  )
  vi.stubGlobal('PublicKeyCredential', class {})
  Object.defineProperty(navigator, 'credentials', { configurable: true, value: { create, get } })
  return { create, get }
}

/** The browser's error for a closed prompt. */
export const closedPrompt = () => new DOMException('The operation was not allowed.', 'NotAllowedError')

/** A reply that is not from our server and has no message, such as a proxy's error page. */
export class NoMessageRefusal extends Refusal {
  constructor(status = 502) {
    super(status, '', '')
    Object.assign(this.reply, { body: '<html>' })
  }
}

export const request: PasskeyRequest = {
  challenge: 'Y2hhbGxlbmdl',
  rpId: 'localhost',
  timeout: 300_000,
  allowCredentials: [{ id: 'cGFzc2tleQ', type: 'public-key', transports: ['internal'] }],
  userVerification: 'required',
}

export const creation: PasskeyCreation = {
  challenge: 'Y2hhbGxlbmdl',
  rp: { id: 'localhost', name: 'Limber' },
  user: { id: 'aGFuZGxl', name: 'dana@example.com', displayName: 'Dana Whitfield' },
  pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
  timeout: 300_000,
  excludeCredentials: [],
  authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
  attestation: 'none',
}

const at = '2026-11-14T17:00:00.000Z'
export const CODES = Array.from({ length: 10 }, (_, place) => `AAAA-BBBB-CCCC-DD${String(place).padStart(2, '0')}`)

export const makeProfile = (more: Partial<Profile> = {}): Profile => ({
  id: 7,
  name: 'Priya Raman',
  email: 'priya.raman@example.com',
  role: 'Tech',
  version: 3,
  permissions: [{ code: '97', words: 'Manage workers, access and API keys, and read the audit log' }],
  passkeys: [{ id: 1, name: 'Laptop', createdAt: at, lastUsedAt: at, isBackedUp: true }],
  sessions: [
    {
      id: 10,
      createdAt: at,
      lastSeenAt: at,
      address: '10.0.0.1',
      browser: 'Mozilla/5.0 (X11; Linux x86_64) Chrome/150.0 Safari/537.36',
      isCurrent: true,
    },
  ],
  devices: [{ id: 20, label: 'Chrome on Linux', createdAt: at, lastUsedAt: at, expiresAt: at, isCurrent: true }],
  recoveryCodesLeft: 10,
  multiDeviceAt: at,
  ...more,
})

export const makeWorker = (more: Partial<WorkerDetail> = {}): WorkerDetail => ({
  id: 12,
  name: 'Dana Whitfield',
  email: 'dana.whitfield@example.com',
  role: 'Finance',
  status: 'active',
  permissions: [
    { code: '2', words: 'See the Worker tab' },
    { code: '39', words: 'Run the tax audit and fix discrepancies' },
  ],
  lastSeenAt: at,
  openSessions: 1,
  link: 'used',
  createdAt: at,
  version: 4,
  passkeys: [{ id: 1, name: 'Phone', createdAt: at, lastUsedAt: null, isBackedUp: false }],
  sessions: [{ id: 11, createdAt: at, lastSeenAt: at, address: null, browser: null, isCurrent: false }],
  devices: [],
  recoveryCodesLeft: 8,
  hasTwoFactor: true,
  linkExpiresAt: null,
  isLastOwner: false,
  ...more,
})

export const makeRecovery = (more: Partial<RecoveryRequest> = {}): RecoveryRequest => ({
  id: 31,
  worker: { id: 12, name: 'Dana Whitfield', email: 'dana.whitfield@example.com' },
  state: 'open',
  createdAt: at,
  expiresAt: at,
  address: '10.0.0.9',
  decidedBy: null,
  decidedAt: null,
  isOwn: false,
  ...more,
})
