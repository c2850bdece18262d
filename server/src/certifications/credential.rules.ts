interface AchievementFacts {
  id: number
  name: string
  description: string
}

export interface CredentialFacts {
  /** The public URL of Limber, which is the id of the issuer. */
  issuer: string
  /** The public page, which is the id of the credential. */
  url: string
  /** First name and initial. */
  holder: string
  type: AchievementFacts
  instructor: string
  validFrom: Date
  validUntil: Date | null
  status: { list: number; index: number }
}

const contexts = [
  'https://www.w3.org/ns/credentials/v2',
  'https://purl.imsglobal.org/spec/ob/v3p0/context-3.0.3.json',
] as const

const issuerOf = (id: string) => ({ id, type: ['Profile'], name: 'Limber', url: id })
const seconds = (at: Date) => Math.floor(at.getTime() / 1000)
const instant = (at: Date) => at.toISOString().replace('.000Z', 'Z')

export const statusListUrl = (issuer: string, list: number) => `${issuer}/.well-known/credential-status/${list}`

const achievementOf = (issuer: string, { id, name, description }: AchievementFacts) => ({
  id: `${issuer}/certifications/types/${id}`,
  type: ['Achievement'],
  achievementType: 'Certification',
  name,
  description: description || name,
  criteria: { narrative: description || `Trained and assessed for: ${name}.` },
})

/** The document that the id of an achievement resolves to. */
export const presentAchievement = (issuer: string, type: AchievementFacts) => ({
  '@context': [...contexts],
  ...achievementOf(issuer, type),
})

/**
 * Open Badges 3.0 on the W3C data model 2.0, with the registered claims that the JWT form requires. Contains no more
 * personal data than the public page.
 */
export function credentialClaims({
  issuer,
  url,
  holder,
  type,
  instructor,
  validFrom,
  validUntil,
  status,
}: CredentialFacts) {
  const subject = `${url}#holder`
  return {
    '@context': contexts,
    id: url,
    type: ['VerifiableCredential', 'OpenBadgeCredential'],
    name: type.name,
    issuer: issuerOf(issuer),
    validFrom: instant(validFrom),
    ...(validUntil && { validUntil: instant(validUntil) }),
    credentialSubject: {
      id: subject,
      type: ['AchievementSubject'],
      identifier: [{ type: 'IdentityObject', identityHash: holder, identityType: 'name', hashed: false }],
      source: { id: `${url}#instructor`, type: ['Profile'], name: instructor },
      achievement: achievementOf(issuer, type),
    },
    credentialStatus: {
      id: `${statusListUrl(issuer, status.list)}#${status.index}`,
      type: 'BitstringStatusListEntry',
      statusPurpose: 'revocation',
      statusListIndex: String(status.index),
      statusListCredential: statusListUrl(issuer, status.list),
    },
    iss: issuer,
    jti: url,
    sub: subject,
    nbf: seconds(validFrom),
    ...(validUntil && { exp: seconds(validUntil) }),
  }
}

export function statusListClaims(issuer: string, list: number, encodedList: string, now: Date) {
  const url = statusListUrl(issuer, list)
  return {
    '@context': [contexts[0]],
    id: url,
    type: ['VerifiableCredential', 'BitstringStatusListCredential'],
    issuer: issuerOf(issuer),
    validFrom: instant(now),
    credentialSubject: { id: `${url}#list`, type: 'BitstringStatusList', statusPurpose: 'revocation', encodedList },
    iss: issuer,
    jti: url,
    sub: `${url}#list`,
    nbf: seconds(now),
  }
}

/** Credentials per list: the minimum of the W3C standard, so that a lookup does not reveal which one is checked. */
export const LIST_BITS = 131_072

/** The position of the bit of a certification. */
export const statusPosition = (id: number) => ({ list: Math.floor(id / LIST_BITS), index: id % LIST_BITS })

/** The bits of a list, most significant bit first. */
export function statusBits(indexes: readonly number[]): Uint8Array {
  const bits = new Uint8Array(LIST_BITS / 8)
  for (const index of indexes) bits[index >> 3] = (bits[index >> 3] ?? 0) | (0x80 >> (index & 7))
  return bits
}
