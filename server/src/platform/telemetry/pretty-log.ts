import { z } from 'zod'
import type { LogSink } from './log-sink.ts'

const Line = z.looseObject({ level: z.string(), time: z.string(), msg: z.string() })

const quoted = (value: unknown) => (typeof value === 'string' && /[\s"]/.test(value) ? JSON.stringify(value) : value)

function pretty(line: string): string {
  const parsed = Line.safeParse(JSON.parse(line))
  if (!parsed.success) return line
  const { level, time, msg, stack, ...rest } = parsed.data
  const fields = Object.entries(rest).map(([name, value]) => `  ${name}=${quoted(value)}`)
  const frames = typeof stack === 'string' ? stack.split(' | ').map((frame) => `\n    ${frame}`) : []
  return `${time.slice(11, 23)} ${level.padEnd(5)} ${msg}${fields.join('')}${frames.join('')}\n`
}

/** Lines for people, in a terminal: time, level, message, fields. */
export const prettyLog = (to: LogSink): LogSink => ({ write: (line) => to.write(pretty(line)), loss: to.loss })
