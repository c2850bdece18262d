import pino from 'pino'
import { withoutSecrets } from '../security/scrub.ts'
import type { LogLoss } from './log-sink.ts'

/** What may stand in a log line beside its message. Anything else a caller hands over is left out. */
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
  /** Why lines are being lost; nothing while they are written. */
  loss(): LogLoss | undefined
}

/** Where lines go. */
interface Destination {
  write(line: string): void
  loss?(): LogLoss | undefined
}

const keep = (fields: LogFields = {}) =>
  Object.fromEntries(allowed.filter((key) => fields[key] !== undefined).map((key) => [key, fields[key]]))

/** Logs as JSON lines with an allow-list of fields, so that no body, code or token can reach a log by accident. */
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

/** A log that says nothing. */
export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {}, loss: () => undefined }

/** The parts of an error that may be logged. Its words may quote anything: an address, a code, a whole setting. */
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

/** Where it arose. A stack begins with the message, over as many lines as that has, and those may look like anything. */
const framesOf = ({ stack, message }: Error) =>
  stack
    ?.slice(stack.indexOf(message) + message.length)
    .split('\n')
    .filter((line) => /^ {4}at \S.{0,400}:\d+:\d+\)?$/.test(line))
    .slice(0, 5)
    .map((line) => line.trim())
