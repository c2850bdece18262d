import { describe, expect, it } from 'vitest'
import { ConfigError, readConfig } from './config.ts'

const good = {
  DATABASE_URL: 'postgres://localhost/limber',
  PUBLIC_URL: 'https://limber.example.com',
  SECRET_KEY: 'KqP3v9x2Lm8Rt5Yw1Zc7Bn4Hj6Gf0Ds-abcdefgh',
}

const problemsOf = (env: NodeJS.ProcessEnv) => {
  try {
    readConfig(env)
    return []
  } catch (error) {
    return error instanceof ConfigError ? error.problems : [String(error)]
  }
}

describe('readConfig', () => {
  it('reads a valid environment', () => {
    expect(readConfig(good)).toMatchObject({
      publicUrl: 'https://limber.example.com',
      isHttps: true,
      port: 3000,
      isSample: false,
    })
  })
  it('reports all problems together', () => {
    expect(problemsOf({ PUBLIC_URL: 'ftp://x', PORT: 'many' })).toEqual([
      'DATABASE_URL is missing.',
      'PUBLIC_URL must be a URL that begins with https:// or http://.',
      'PORT must be a whole number from 0 to 65535.',
      'SECRET_KEY is missing.',
    ])
  })
  it.each([
    ['plain http on a real host', { PUBLIC_URL: 'http://limber.example.com' }, /must use https/],
    ['a numeric host', { PUBLIC_URL: 'http://127.0.0.1:3000' }, /localhost instead/],
    ['an incomplete text-message account', { TWILIO_NUMBER: '+19515550100' }, /must be set together/],
    [
      'a phone number without a country code',
      { TWILIO_NUMBER: '951 555 0100' },
      /TWILIO_NUMBER must be a phone number/,
    ],
    ['a short secret', { SECRET_KEY: 'short' }, /at least 32/],
    ['a simple secret', { SECRET_KEY: 'a'.repeat(40) }, /too simple/],
    ['incomplete S3 settings', { S3_BUCKET: 'files', S3_ACCESS_KEY_ID: 'limber' }, /S3_SECRET_ACCESS_KEY/],
    ['a bucket that cannot exist', { S3_BUCKET: 'my files/2026' }, /S3_BUCKET must be the name of a bucket/],
    [
      'backups in a folder of a bucket',
      { BACKUP_STORAGE: 's3://files/backups' },
      /BACKUP_STORAGE must be a folder, or/,
    ],
    ['a witness in a folder of a bucket', { AUDIT_WITNESS: 's3://files/audit' }, /AUDIT_WITNESS must be a file, s3:/],
    [
      'an incomplete ad account',
      { META_APP_SECRET: 'x'.repeat(20) },
      /META_VERIFY_TOKEN and META_ACCESS_TOKEN must be set too/,
    ],
    ['sending the Twilio token over http', { TWILIO_URL: 'http://sms.example.com' }, /TWILIO_URL must use https/],
    [
      'sending the Meta token over http',
      { META_GRAPH_URL: 'http://graph.example.com' },
      /META_GRAPH_URL must use https/,
    ],
    ['a malformed version', { META_GRAPH_VERSION: '26' }, /META_GRAPH_VERSION must be a version/],
    ['a database other than PostgreSQL', { DATABASE_URL: 'mysql://x' }, /DATABASE_URL must be/],
    ['a first Owner without a valid email', { OWNER_EMAIL: 'Olga' }, /OWNER_EMAIL must be an email address/],
    ['an SMTP URL with another scheme', { SMTP_URL: 'https://x' }, /SMTP_URL must be/],
  ])('rejects %s', (_, env, problem) => {
    expect(problemsOf({ ...good, ...env }).join('\n')).toMatch(problem)
  })
  const outside = {
    SMTP_URL: 'smtps://desk:pass@mail.example.com',
    TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
    TWILIO_AUTH_TOKEN: 'x'.repeat(32),
    TWILIO_NUMBER: '+19515550100',
    META_APP_SECRET: 'x'.repeat(20),
    META_VERIFY_TOKEN: 'x'.repeat(20),
    META_ACCESS_TOKEN: 'x'.repeat(20),
    META_AD_ACCOUNT_ID: '1',
    META_PAGE_ID: '2',
  }
  it('connects configured services, except for the sample company', () => {
    const connected = ({ smtpUrl, texts, meta }: ReturnType<typeof readConfig>) =>
      [smtpUrl, texts, meta].filter(Boolean)
    expect(connected(readConfig({ ...good, ...outside, LIMBER_EMBEDDED: '1' }))).toHaveLength(3)
    const sample = { ...good, ...outside, LIMBER_EMBEDDED: '1', LIMBER_SAMPLE: '1' }
    expect(connected(readConfig(sample))).toEqual([])
    expect(connected(readConfig({ ...sample, LIMBER_SAMPLE_SENDS: '1' }))).toHaveLength(3)
  })
  it('never treats an external database as the sample company', () => {
    expect(readConfig({ ...good, LIMBER_SAMPLE: '1' }).isSample).toBe(false)
  })
})
