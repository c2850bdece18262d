import { timingSafeEqual } from 'node:crypto'
import { generateSecret, generateSync, generateURI } from 'otplib'

const PERIOD = 30

/** A new secret of 160 bits, in the letters that authenticator apps read. */
export const makeTotpSecret = () => generateSecret()

/** What the QR code says. */
export const totpUri = (secret: string, email: string) => generateURI({ issuer: 'Limber', label: email, secret })

/** The number of the half minute that a moment falls into. */
export const totpStep = (at: Date) => Math.floor(at.getTime() / 1000 / PERIOD)

/** The code of a half minute. */
export const totpCode = (secret: string, step: number) => generateSync({ secret, epoch: step * PERIOD })

/** The half minute to which a code belongs: now, or one either side for clocks that differ; each takes equal time. */
export function matchTotp(secret: string, code: string, now: Date): number | undefined {
  const step = totpStep(now)
  let found: number | undefined
  for (const candidate of [step - 1, step, step + 1])
    if (timingSafeEqual(Buffer.from(totpCode(secret, candidate)), Buffer.from(code))) found = candidate
  return found
}
