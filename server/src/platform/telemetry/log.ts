import pino from 'pino'
import { withoutSecrets } from '../security/scrub.ts'
import type { LogLoss } from './log-sink.ts'

/** The fields that a log line may have besides its message. All others are dropped. */
const allowed = [
  'requestId',
  'call',
  'status',
  'ms',
  'workerId',
  'reason',
  'name',
  'code',
  'count',
  'schedule',
  'job',
  'channel',
  'migration',
  'port',
  'url',
  'stack',
  'signal',
  'tries',
] as const
type Field = (typeof allowed)[number]
export type LogFields = Partial<Record<Field, string | number | boolean | null | undefined>>

export interface Log {
  debug(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
  /** Why lines are being lost; undefined while they are written. */
  loss(): LogLoss | undefined
}

interface Destination {
  write(line: string): void
  loss?(): LogLoss | undefined
}

const keep = (fields: LogFields = {}) =>
  Object.fromEntries(allowed.filter((key) => fields[key] !== undefined).map((key) => [key, fields[key]]))

/** Logs JSON lines with an allowlist of fields, so that no body, code or token reaches the log by accident. */
export function makeLog(level: string, to: Destination = process.stdout): Log {
  const logger = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    to,
  )
  const at = (name: 'debug' | 'info' | 'warn' | 'error') => (message: string, fields?: LogFields) =>
    logger[name](keep(fields), message)
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    loss: () => to.loss?.(),
  }
}

export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {}, loss: () => undefined }

/** The parts of an error that may be logged. Messages are scrubbed: they may quote addresses, codes or settings. */
export function describeError(error: unknown): LogFields {
  if (!(error instanceof Error)) return { reason: withoutSecrets(String(error)).slice(0, 200) }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  return {
    name: error.name,
    reason: withoutSecrets(error.message).slice(0, 500),
    code,
    stack: framesOf(error)?.join(' | '),
  }
}

/** The stack frames without the message, whose lines may look like frames. */
const framesOf = ({ stack, message }: Error) =>
  stack
    ?.slice(stack.indexOf(message) + message.length)
    .split('\n')
    .filter((line) => /^ {4}at \S.{0,400}:\d+:\d+\)?$/.test(line))
    .slice(0, 5)
    .map((line) => line.trim())
