import { Email, Line } from '@limber/contract/kit/values.ts'
import { z } from 'zod'
import { serversOf } from './db/servers.ts'

const flag = z
  .enum(['0', '1', 'true', 'false', ''])
  .default('0')
  .transform((text) => text === '1' || text === 'true')

const optional = (schema: z.ZodString) =>
  z
    .string()
    .optional()
    .transform((text) => (text === '' ? undefined : text))
    .pipe(schema.optional())

const integer = (fallback: number, min: number, max: number) =>
  z
    .string()
    .default(String(fallback))
    .refine(
      (text) => /^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max,
      `must be a whole number from ${min} to ${max}`,
    )
    .transform(Number)

const digits = z.string().regex(/^\d{1,30}$/, 'must be digits')

const address = (schemes: string[]) =>
  z.string().refine(
    (text) => {
      try {
        return schemes.includes(new URL(text).protocol)
      } catch {
        return false
      }
    },
    `must be a URL that begins with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}`,
  )

/** The address of PostgreSQL, of one server or of several: `postgres://user@a:5432,b:5432/limber`. */
const databaseAddress = z
  .string()
  .refine(
    (text) => serversOf(text).every((url) => URL.canParse(url) && /^postgres(ql)?:$/.test(new URL(url).protocol)),
    'must be a URL that begins with postgres:// or postgresql://',
  )
  .refine(
    (text) => /[?&]target_session_attrs=(?!read-write\b|primary\b)/.test(text) === false,
    'may only have target_session_attrs=read-write: Limber always uses the server that accepts writes',
  )

/** The key with which another program authenticates. */
const programKey = optional(
  z.string().min(24, 'must have at least 24 characters; generate one with: openssl rand -base64 33'),
)

/** Older buckets of S3 may have capitals, underscores and 255 characters. */
const BUCKET = '[A-Za-z0-9][A-Za-z0-9._-]{1,253}[A-Za-z0-9]'

const Environment = z.object({
  DATABASE_URL: databaseAddress,
  DATABASE_POOL: integer(12, 2, 200),
  DATABASE_POOL_MODE: z.enum(['session', 'transaction']).default('session'),
  DATABASE_DIRECT_URL: z.preprocess((text) => text || undefined, databaseAddress.optional()),
  DATABASE_REPLICA_URL: z.preprocess((text) => text || undefined, databaseAddress.optional()),
  PUBLIC_URL: address(['https:', 'http:']),
  PORT: integer(3000, 0, 65_535),
  HOST: z.string().default('127.0.0.1'),
  SECRET_KEY: z.string().min(32, 'must have at least 32 characters; generate one with: openssl rand -base64 48'),
  SECRET_KEYS_OLD: z.string().default(''),
  OWNER_EMAIL: z
    .string()
    .default('')
    .refine((text) => text === '' || Email.safeParse(text).success, 'must be an email address')
    .transform((text) => (text === '' ? undefined : Email.parse(text))),
  OWNER_NAME: z
    .string()
    .default('')
    .refine((text) => text === '' || Line(120).safeParse(text).success, 'must be one line of at most 120 characters')
    .transform((text) => (text === '' ? undefined : Line(120).parse(text))),
  SMTP_URL: optional(address(['smtp:', 'smtps:'])),
  MAIL_FROM: optional(z.string()),
  COMPANY_ADDRESS: z.string().max(200).default(''),
  TWILIO_ACCOUNT_SID: optional(z.string().regex(/^AC[0-9a-f]{32}$/i, 'must be AC and 32 hexadecimal digits')),
  TWILIO_AUTH_TOKEN: optional(z.string().min(16, 'must have at least 16 characters')),
  TWILIO_NUMBER: optional(z.string().regex(/^\+[1-9]\d{6,14}$/, 'must be a phone number such as +19515550100')),
  TWILIO_URL: address(['https:', 'http:']).default('https://api.twilio.com'),
  TRUST_PROXY: integer(0, 0, 10),
  LIMBER_STORAGE: z.string().default('.limber/files'),
  S3_BUCKET: optional(
    z.string().regex(new RegExp(`^${BUCKET}$`), 'must be the name of a bucket: letters, digits, dots and hyphens'),
  ),
  S3_ENDPOINT: optional(address(['https:', 'http:'])),
  S3_REGION: z.string().default('us-east-1'),
  S3_ACCESS_KEY_ID: optional(z.string()),
  S3_SECRET_ACCESS_KEY: optional(z.string()),
  CLAMD_URL: optional(address(['tcp:', 'unix:'])),
  EVENT_INGEST_KEY: programKey,
  EVENT_RETENTION_DAYS: integer(90, 31, 3650),
  TRAINING_PORTAL_KEY: programKey,
  SUPPORT_INBOUND_KEY: programKey,
  TRAINING_MEDIA_HOSTS: z
    .string()
    .default('')
    .refine(
      (text) => text === '' || /^[a-z0-9.-]+\.[a-z]{2,}(\s*,\s*[a-z0-9.-]+\.[a-z]{2,})*$/i.test(text.trim()),
      'must be host names separated by commas, such as media.example.com',
    ),
  MAP_STYLE_URL: optional(address(['https:'])),
  MAP_TILES_URL: optional(
    address(['https:']).refine(
      (text) => /\{z\}.*\{x\}|\{x\}.*\{z\}/.test(text) && text.includes('{y}'),
      'must contain {z}, {x} and {y}',
    ),
  ),
  MAP_ATTRIBUTION: optional(z.string().max(300)),
  META_APP_SECRET: optional(z.string().min(16, 'must have at least 16 characters')),
  META_VERIFY_TOKEN: optional(
    z.string().min(16, 'must have at least 16 characters; generate one with: openssl rand -base64 24'),
  ),
  META_ACCESS_TOKEN: optional(z.string().min(16, 'must have at least 16 characters')),
  META_AD_ACCOUNT_ID: optional(digits),
  META_PAGE_ID: optional(digits),
  META_PRIVACY_URL: optional(address(['https:'])),
  META_LINK_URL: optional(address(['https:'])),
  META_PIXEL_ID: optional(digits),
  META_APP_ID: optional(digits),
  META_APP_STORE_URL: optional(address(['https:', 'http:'])),
  META_GRAPH_VERSION: z
    .string()
    .default('v26.0')
    .refine((text) => /^v\d{1,3}\.\d$/.test(text), 'must be a version such as v26.0'),
  META_GRAPH_URL: address(['https:', 'http:']).default('https://graph.facebook.com'),
  WEBHOOK_ALLOW_PRIVATE: flag,
  BACKUP_KEY: optional(
    z.string().min(32, 'must have at least 32 characters; generate one with: openssl rand -base64 48'),
  ),
  BACKUP_KEYS_OLD: z.string().default(''),
  BACKUP_STORAGE: optional(
    z.string().regex(new RegExp(`^(?!s3:)|^s3://${BUCKET}/?$`), 'must be a folder, or s3:// and the name of a bucket'),
  ),
  BACKUP_SCRATCH_URL: optional(address(['postgres:', 'postgresql:'])),
  AUDIT_WITNESS: optional(
    z
      .string()
      .regex(
        new RegExp(`^(?!\\w+://)|^s3://${BUCKET}/?$|^https?://[^/]`),
        'must be a file, s3:// and the name of a bucket, or a URL that begins with https://',
      ),
  ),
  LOG_LEVEL: z.enum(['silent', 'error', 'warn', 'info', 'debug']).default('info'),
  LOG_FORMAT: z.enum(['json', 'pretty']).default('json'),
  METRICS_PORT: optional(z.string().regex(/^\d{1,5}$/, 'must be a port')),
  METRICS_KEY: programKey,
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(address(['https:', 'http:'])),
  OTEL_EXPORTER_OTLP_HEADERS: z.string().default(''),
  OTEL_SERVICE_NAME: z.string().max(100).default('limber'),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .default('0.1')
    .refine((text) => Number(text) > 0 && Number(text) <= 1, 'must be above 0 and at most 1, such as 0.1')
    .transform(Number),
  LIMBER_EMBEDDED: flag,
  LIMBER_SAMPLE: flag,
  LIMBER_SAMPLE_SENDS: flag,
  LIMBER_CHECK_REPLIES: flag,
  LIMBER_WEB: z.string().optional(),
})

export type Config = ReturnType<typeof shape>

/** The sample company never sends anything outside, whatever the environment sets. Browser tests use fake services. */
const withoutOutside = (env: z.output<typeof Environment>): z.output<typeof Environment> => ({
  ...env,
  SMTP_URL: undefined,
  TWILIO_ACCOUNT_SID: undefined,
  META_ACCESS_TOKEN: undefined,
  CLAMD_URL: undefined,
  AUDIT_WITNESS: undefined,
})

/** `tcp://host:3310`, or `unix:/run/clamav/clamd.ctl`. */
function scannerAt(text: string) {
  const { protocol, hostname, port, pathname } = new URL(text)
  if (protocol === 'unix:') return { path: decodeURIComponent(pathname) }
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 3310) }
}

/** `name=value,name=value`, percent-encoded, as OpenTelemetry writes them. */
const readHeaders = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .split(',')
      .filter(Boolean)
      .map((each) => {
        const [name = '', ...value] = each.split('=')
        return [name.trim(), decodeURIComponent(value.join('=').trim())]
      }),
  )

function shape(given: z.output<typeof Environment>) {
  const isSample = given.LIMBER_EMBEDDED && given.LIMBER_SAMPLE
  const sendsNothing = isSample && !given.LIMBER_SAMPLE_SENDS
  const env = sendsNothing ? withoutOutside(given) : given
  const url = new URL(env.PUBLIC_URL)
  const s3 = {
    endpoint: env.S3_ENDPOINT,
    region: env.S3_REGION,
    accessKeyId: env.S3_ACCESS_KEY_ID,
    secretAccessKey: env.S3_SECRET_ACCESS_KEY,
  }
  return {
    /** For connections that keep a session: live updates, migrations, backups, commands. */
    databaseUrl: env.DATABASE_DIRECT_URL ?? env.DATABASE_URL,
    /** For calls and jobs. May lead to a pooler that gives a connection for one transaction only. */
    pooled: { url: env.DATABASE_URL, isPerTransaction: env.DATABASE_POOL_MODE === 'transaction' },
    /** A replica for reports and exports. */
    replicaUrl: env.DATABASE_REPLICA_URL,
    databasePool: env.DATABASE_POOL,
    publicUrl: url.origin,
    isHttps: url.protocol === 'https:',
    hostname: url.hostname,
    port: env.PORT,
    host: env.HOST,
    secretKey: env.SECRET_KEY,
    oldSecretKeys: env.SECRET_KEYS_OLD.split(',').filter(Boolean),
    /** Invited as the first Owner while no one has signed in yet. */
    ownerEmail: env.OWNER_EMAIL,
    ownerName: env.OWNER_NAME,
    smtpUrl: env.SMTP_URL,
    mailFrom: env.MAIL_FROM,
    /** Deprecated: the postal address of the company, until its profile has one. */
    companyAddress: env.COMPANY_ADDRESS.trim(),
    /** The sample company never sends anything outside. */
    sendsNothing,
    /** The Twilio account. Without it, text messages are neither sent nor received. */
    texts:
      env.TWILIO_ACCOUNT_SID && env.TWILIO_AUTH_TOKEN && env.TWILIO_NUMBER
        ? {
            accountSid: env.TWILIO_ACCOUNT_SID,
            authToken: env.TWILIO_AUTH_TOKEN,
            number: env.TWILIO_NUMBER,
            url: env.TWILIO_URL,
          }
        : undefined,
    trustProxy: env.TRUST_PROXY,
    storagePath: env.LIMBER_STORAGE,
    s3: env.S3_BUCKET ? { bucket: env.S3_BUCKET, ...s3 } : undefined,
    s3Access: s3,
    /** The virus scanner (clamd) for files of tickets. Without it, files are not scanned. */
    scanner: env.CLAMD_URL ? scannerAt(env.CLAMD_URL) : undefined,
    /** The key of the customer app for usage events. Without it, none are accepted. */
    ingestKey: env.EVENT_INGEST_KEY,
    /** Days to keep single events; figures stay. More than a month, because the dashboard lists the events of a month. */
    eventRetentionDays: env.EVENT_RETENTION_DAYS,
    /** The key of the learner portal for progress and quizzes. Without it, none are accepted. */
    portalKey: env.TRAINING_PORTAL_KEY,
    /** The key of the program that delivers customer messages to tickets. Without it, none are accepted. */
    supportKey: env.SUPPORT_INBOUND_KEY,
    /** Hosts whose video, audio and images lessons may embed besides our own files. */
    mediaHosts: new Set(
      env.TRAINING_MEDIA_HOSTS.toLowerCase()
        .split(',')
        .map((host) => host.trim())
        .filter(Boolean),
    ) as ReadonlySet<string>,
    /** Replaces the bundled outlines under the zones of the map: a style, or image tiles. */
    mapStyleUrl: env.MAP_STYLE_URL,
    mapTilesUrl: env.MAP_TILES_URL,
    mapAttribution: env.MAP_ATTRIBUTION,
    /** Hosts of the map that pages may reach. */
    mapHosts: new Set(
      [env.MAP_STYLE_URL, env.MAP_TILES_URL].flatMap((text) => (text ? [new URL(text).host] : [])),
    ) as ReadonlySet<string>,
    /** The Meta account for ads and their lead forms. Without it, campaigns stay local and no leads arrive. */
    meta:
      env.META_APP_SECRET && env.META_VERIFY_TOKEN && env.META_ACCESS_TOKEN
        ? {
            appSecret: env.META_APP_SECRET,
            verifyToken: env.META_VERIFY_TOKEN,
            accessToken: env.META_ACCESS_TOKEN,
            version: env.META_GRAPH_VERSION,
            url: new URL(env.META_GRAPH_URL).origin,
            /** The ad account. Without it, campaigns stay local. */
            ads:
              env.META_AD_ACCOUNT_ID && env.META_PAGE_ID
                ? {
                    accountId: env.META_AD_ACCOUNT_ID,
                    pageId: env.META_PAGE_ID,
                    privacyUrl: env.META_PRIVACY_URL,
                    linkUrl: env.META_LINK_URL,
                    pixelId: env.META_PIXEL_ID,
                    appId: env.META_APP_ID,
                    appStoreUrl: env.META_APP_STORE_URL,
                  }
                : undefined,
          }
        : undefined,
    webhooks: {
      /** Webhooks may be sent to loopback and private addresses. */
      allowPrivate: env.WEBHOOK_ALLOW_PRIVATE,
    },
    backup: {
      /** Encrypts backups. Without it, none are made. */
      key: env.BACKUP_KEY,
      oldKeys: env.BACKUP_KEYS_OLD.split(',').filter(Boolean),
      /** A folder, or `s3://bucket` with the credentials of the file storage. Default: next to the files. */
      storage: env.BACKUP_STORAGE,
      /** The PostgreSQL server for verifying backups. Default: the product's own. */
      scratchUrl: env.BACKUP_SCRATCH_URL,
    },
    /** Where the end of the audit log is written each hour: a file, `s3://bucket`, or the address of a program. */
    auditWitness: env.AUDIT_WITNESS,
    logLevel: env.LOG_LEVEL,
    logFormat: env.LOG_FORMAT,
    /** Metrics have a port of their own, or are at `/metrics` for whoever has the key. Without either there are none. */
    metrics:
      env.METRICS_PORT !== undefined || env.METRICS_KEY !== undefined
        ? { port: env.METRICS_PORT === undefined ? undefined : Number(env.METRICS_PORT), key: env.METRICS_KEY }
        : undefined,
    /** Traces go to an OpenTelemetry collector. Without an endpoint there are none. */
    traces: env.OTEL_EXPORTER_OTLP_ENDPOINT
      ? {
          url: `${env.OTEL_EXPORTER_OTLP_ENDPOINT.replace(/\/$/, '')}/v1/traces`,
          headers: readHeaders(env.OTEL_EXPORTER_OTLP_HEADERS),
          serviceName: env.OTEL_SERVICE_NAME,
          /** The share of requests and jobs that is recorded, unless the caller has decided. */
          ratio: env.OTEL_TRACES_SAMPLER_ARG,
        }
      : undefined,
    /** The database is the embedded one. */
    isEmbedded: env.LIMBER_EMBEDDED,
    /** The sample company is loaded: emails stay in a local mailbox, and visitors can open it with a link. */
    isSample,
    /** Validates replies against the contract; on in tests and development. */
    checkReplies: env.LIMBER_CHECK_REPLIES,
    webFiles: env.LIMBER_WEB,
  }
}

export class ConfigError extends Error {
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(`Limber cannot start with these settings:\n${problems.map((line) => `  - ${line}`).join('\n')}`)
    this.problems = problems
  }
}

const isLocal = (hostname: string) =>
  hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '127.0.0.1'

/** Plain http to another machine: traffic could be read on the way. */
const isUnencrypted = (address = '') =>
  /^http:/i.test(address) && URL.canParse(address) && !isLocal(new URL(address).hostname)

/** Reads the environment and reports all problems together. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  // It is parsed once: compiling the schema would take longer than it saves.
  const parsed = Environment.safeParse(env, { jitless: true })
  const problems = parsed.success ? [] : parsed.error.issues.map(describe(env))
  const publicUrl = env.PUBLIC_URL ?? ''
  if (isUnencrypted(publicUrl)) {
    problems.push('PUBLIC_URL must use https: passkeys and session cookies are not safe over http.')
  }
  if (URL.canParse(publicUrl) && new URL(publicUrl).hostname === '127.0.0.1') {
    problems.push(
      'PUBLIC_URL must use localhost instead of 127.0.0.1: browsers do not support passkeys on IP addresses.',
    )
  }
  if (env.SECRET_KEY && new Set(env.SECRET_KEY).size < 10) {
    problems.push('SECRET_KEY is too simple; generate one with: openssl rand -base64 48')
  }
  if (env.DATABASE_POOL_MODE === 'transaction' && !env.DATABASE_DIRECT_URL) {
    problems.push(
      'DATABASE_DIRECT_URL must be set with DATABASE_POOL_MODE=transaction: live updates, migrations and backups need connections past the pooler.',
    )
  }
  if (Boolean(env.S3_ACCESS_KEY_ID) !== Boolean(env.S3_SECRET_ACCESS_KEY)) {
    problems.push(
      'S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY must be set together. Without them, the role of the machine is used.',
    )
  }
  const twilio = [env.TWILIO_ACCOUNT_SID, env.TWILIO_AUTH_TOKEN, env.TWILIO_NUMBER].filter(Boolean)
  if (twilio.length > 0 && twilio.length < 3) {
    problems.push('TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN and TWILIO_NUMBER must be set together.')
  }
  const meta = ['META_APP_SECRET', 'META_VERIFY_TOKEN', 'META_ACCESS_TOKEN']
  const unset = meta.filter((name) => !env[name])
  if (unset.length > 0 && unset.length < meta.length) {
    problems.push(`${unset.join(' and ')} must be set too: ads need all of ${meta.join(', ')}.`)
  }
  if (Boolean(env.META_AD_ACCOUNT_ID) !== Boolean(env.META_PAGE_ID)) {
    problems.push('META_AD_ACCOUNT_ID and META_PAGE_ID must be set together: campaigns need both.')
  }
  if (env.META_AD_ACCOUNT_ID && unset.length > 0) {
    problems.push(`META_AD_ACCOUNT_ID is set, so ${unset.join(' and ')} must be set too.`)
  }
  if (isUnencrypted(env.TWILIO_URL)) problems.push('TWILIO_URL must use https: the auth token is sent there.')
  if (isUnencrypted(env.META_GRAPH_URL)) problems.push('META_GRAPH_URL must use https: the access token is sent there.')
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems)
  return shape(parsed.data)
}

const describe = (env: NodeJS.ProcessEnv) => (issue: z.core.$ZodIssue) => {
  const name = String(issue.path[0])
  return env[name] === undefined || env[name] === '' ? `${name} is missing.` : `${name} ${issue.message}.`
}
