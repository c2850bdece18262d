import { createHmac } from 'node:crypto'
import type { CDPSession, Page } from '@playwright/test'
import { isFirefox } from './journey.ts'

const STEP = 30_000
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

function decodeBase32(secret: string): Buffer {
  let bits = ''
  for (const letter of secret.replaceAll(/[\s=]/g, '')) bits += LETTERS.indexOf(letter).toString(2).padStart(5, '0')
  const bytes = bits.match(/.{8}/g) ?? []
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)))
}

/** An authenticator app (RFC 6238). */
export class CodeApp {
  private readonly key: Buffer

  constructor(secret: string) {
    this.key = decodeBase32(secret)
  }

  /** The current code. The server allows one step of clock difference, which leaves 30 seconds to enter it. */
  now(): string {
    return this.at(Math.floor(Date.now() / STEP))
  }

  /** The code of the next step, which the server also accepts: the current one works once. */
  next(): string {
    return this.at(Math.floor(Date.now() / STEP) + 1)
  }

  private at(step: number): string {
    const counter = Buffer.alloc(8)
    counter.writeBigUInt64BE(BigInt(step))
    const mac = createHmac('sha1', this.key).update(counter).digest()
    const offset = (mac.at(-1) ?? 0) & 15
    return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0')
  }
}

/** The passkeys of a device, by the browser's virtual authenticator. Firefox has one from the start, for all pages. */
export class Authenticator {
  private readonly session: CDPSession | undefined
  private readonly id: string

  private constructor(session?: CDPSession, id = '') {
    this.session = session
    this.id = id
  }

  static async attach(page: Page): Promise<Authenticator> {
    if (isFirefox(page)) return new Authenticator()
    const session = await page.context().newCDPSession(page)
    await session.send('WebAuthn.enable')
    const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
    return new Authenticator(session, authenticatorId)
  }

  /** Moves the passkeys here with their counters. A counter used twice would look like a clone. */
  async takeOver(other: Authenticator): Promise<void> {
    if (!this.session) return
    await this.session.send('WebAuthn.clearCredentials', { authenticatorId: this.id })
    for (const credential of await other.credentials()) {
      await this.session.send('WebAuthn.addCredential', { authenticatorId: this.id, credential })
    }
  }

  private async credentials() {
    if (!this.session) return []
    const { credentials } = await this.session.send('WebAuthn.getCredentials', { authenticatorId: this.id })
    return credentials
  }
}
