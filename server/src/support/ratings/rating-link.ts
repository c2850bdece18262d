import { type Rating, readRatingPage } from '@limber/contract/support/ratings/rating.ts'
import type { Keyring } from '#platform/security/secrets.ts'
import { type Link, linkText, readLinkText } from './rating.rules.ts'

const PURPOSE = 'rating link'

export const ratingToken = (keyring: Keyring, link: Link) => keyring.seal(PURPOSE, linkText(link)).toString('base64url')

export const ratingUrl = (publicUrl: string, token: string, choice: Rating) =>
  `${publicUrl}${readRatingPage.path.replace(':token', () => token)}?choice=${choice}`

/** What a token says; undefined for one that is not ours. */
export function openRatingToken(keyring: Keyring, token: string): Link | undefined {
  try {
    return readLinkText(keyring.open(PURPOSE, Buffer.from(token, 'base64url')))
  } catch {
    return undefined
  }
}
