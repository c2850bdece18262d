import { timingSafeEqual } from 'node:crypto'
import { generateSecret, generateSync, generateURI } from 'otplib'

const PERIOD = 30

/** A new 160-bit secret in base32. */
export const makeTotpSecret = () => generateSecret()

/** The content of the QR code. */
export const totpUri = (secret: string, email: string) => generateURI({ issuer: 'Limber', label: email, secret })

/** The 30-second time step of a moment. */
export const totpStep = (at: Date) => Math.floor(at.getTime() / 1000 / PERIOD)

/** The code of a time step. */
export const totpCode = (secret: string, step: number) => generateSync({ secret, epoch: step * PERIOD })

/** The time step of a code, allowing one step of clock difference. Runs in constant time. */
export function matchTotp(secret: string, code: string, now: Date): number | undefined {
  const step = totpStep(now)
  let found: number | undefined
  for (const candidate of [step - 1, step, step + 1])
    if (timingSafeEqual(Buffer.from(totpCode(secret, candidate)), Buffer.from(code))) found = candidate
  return found
}
