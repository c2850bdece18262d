import { randomBytes } from 'node:crypto'
import type { Keyring } from '#platform/security/secrets.ts'

const PURPOSE = 'webhook'

/** A new secret as receivers get it. */
export const makeWebhookSecret = () => `whsec_${randomBytes(32).toString('base64')}`

export const sealSecret = (keyring: Keyring, secret: string) => keyring.seal(PURPOSE, secret)

interface Signer {
  sign(id: string, at: Date, body: string): string
}

// More than there are endpoints, with the secrets of their rotations.
const MAX_KNOWN = 500

/** Makes the headers of the Standard Webhooks specification; during a rotation, with one signature per secret. */
export function makeSigner(keyring: Keyring) {
  // Loaded on first use: most installations send no webhooks.
  let loading: Promise<typeof import('standardwebhooks')> | undefined
  const known = new Map<number, { sealed: Buffer; signer: Signer }>()

  async function signerOf({ id, secret: sealed }: { id: number; secret: Buffer }): Promise<Signer> {
    const found = known.get(id)
    if (found?.sealed.equals(sealed)) return found.signer
    loading ??= import('standardwebhooks')
    const { Webhook } = await loading
    const signer = new Webhook(keyring.open(PURPOSE, sealed))
    if (known.size >= MAX_KNOWN) known.clear()
    known.set(id, { sealed, signer })
    return signer
  }

  return async (eventId: string, at: Date, body: string, secrets: readonly { id: number; secret: Buffer }[]) => {
    const signers = await Promise.all(secrets.map(signerOf))
    return {
      'webhook-id': eventId,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': signers.map((signer) => signer.sign(eventId, at, body)).join(' '),
    }
  }
}
