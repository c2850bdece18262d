import { randomBytes } from 'node:crypto'

const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const COUNT = 10

export const MAX_REQUESTS = 3
export const MAX_REDEEMS = 5
export const REQUEST_LIFE = 3 * 24 * 60 * 60 * 1000

// 32 letters carry 5 bits each, so 16 letters are 80 bits.
const makeCode = () =>
  [...randomBytes(16)]
    .map((byte) => LETTERS[byte % 32])
    .join('')
    .replace(/(.{4})(?=.)/g, '$1-')

/** Ten one-time codes. */
export const makeRecoveryCodes = () => Array.from({ length: COUNT }, makeCode)

/** Normalizes a typed code for comparison. Case and dashes do not matter. */
export const normalizeRecoveryCode = (typed: string) =>
  typed.replace(/[a-z]/g, (letter) => letter.toUpperCase()).replace(/[^A-Z0-9]/g, '')
