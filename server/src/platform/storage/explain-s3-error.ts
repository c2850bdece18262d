import type { Config } from '../config.ts'
import { StorageError } from './storage.ts'

type Place = Pick<NonNullable<Config['s3']>, 'bucket' | 'endpoint' | 'region'>

const KEYS = 'Check S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.'

/** By the error names of S3 and of sockets. */
function summaryOf(name: string, { bucket, endpoint, region }: Place): string | undefined {
  const service = endpoint ? new URL(endpoint).host : `S3 in ${region}`
  const unreachable = `Couldn't connect to ${service}. Check S3_ENDPOINT and the network.`
  const silent = `${service} did not answer in time.`
  const wrongRegion = `The bucket ${bucket} is not in the region ${region}. Check S3_REGION.`
  const badKeys = `${service} refused the access key. ${KEYS}`
  const summaries: Readonly<Record<string, string>> = {
    NoSuchBucket: `There is no bucket ${bucket} at ${service}. Check S3_BUCKET and BACKUP_STORAGE.`,
    InvalidBucketName: `${bucket} is not a valid name of a bucket. Check S3_BUCKET and BACKUP_STORAGE.`,
    AccessDenied: `${service} does not allow this in the bucket ${bucket}. Check the permissions of the access key.`,
    InvalidAccessKeyId: badKeys,
    SignatureDoesNotMatch: badKeys,
    CredentialsProviderError: `No credentials for ${service}. Set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY, or give the machine a role.`,
    PermanentRedirect: wrongRegion,
    AuthorizationHeaderMalformed: wrongRegion,
    ENOTFOUND: `Couldn't find ${service}. Check S3_ENDPOINT.`,
    EAI_AGAIN: `Couldn't find ${service}. Check S3_ENDPOINT.`,
    ECONNREFUSED: unreachable,
    EHOSTUNREACH: unreachable,
    ENETUNREACH: unreachable,
    ECONNRESET: `${service} closed the connection.`,
    EPIPE: `${service} closed the connection.`,
    TimeoutError: silent,
  }
  return summaries[name]
}

/** What a failure of S3 tells whoever runs the server. */
export function explainS3Error(error: unknown, place: Place): StorageError {
  const { name = '', message = '', code = '' } = error instanceof Error ? (error as NodeJS.ErrnoException) : {}
  // The client calls a closed connection a timeout, too. The code is closer.
  const known = summaryOf(code, place) ?? summaryOf(name, place)
  const said = known ?? `The bucket ${place.bucket} cannot be used: ${message || name || 'no answer'}`
  return new StorageError(said, { cause: error })
}
