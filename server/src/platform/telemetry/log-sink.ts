import { createWriteStream } from 'node:fs'
import type { Writable } from 'node:stream'
import { SECOND, systemClock } from '../clock.ts'

/** Why log lines are being lost. */
export interface LogLoss {
  reason: string
  /** Lines lost so far. */
  lost: number
}

/** Where log lines go. A full disk must not end the process: lost lines are counted and reported. */
export interface LogSink {
  write(line: string): void
  /** Undefined while lines can be written. */
  loss(): LogLoss | undefined
}

const RETRY_EVERY = 1 * SECOND

const lossLine = (count: number) =>
  `${JSON.stringify({ level: 'warn', time: systemClock.now().toISOString(), count, msg: 'log lines were lost' })}\n`

/** Writes to the stream from `open`. After a failure, it reopens the stream until a write succeeds. */
function makeLogSink(open: () => Writable): LogSink {
  let loss: LogLoss | undefined
  let stream = connect()

  function connect(): Writable {
    const next = open()
    next.on('error', fail)
    return next
  }

  function fail(error: Error) {
    if (loss) return
    loss = { reason: error.message, lost: 0 }
    retryLater()
  }

  function retryLater() {
    setTimeout(() => {
      stream.off('error', fail)
      // Ignore late errors of the old stream.
      stream.on('error', () => {})
      stream = connect()
      const reported = loss?.lost ?? 0
      // The newline ends a line that was cut off.
      stream.write(`\n${lossLine(reported)}`, (error) => {
        if (error) return retryLater()
        const more = (loss?.lost ?? 0) - reported
        loss = undefined
        if (more > 0) stream.write(lossLine(more))
      })
    }, RETRY_EVERY).unref()
  }

  return {
    write(line) {
      if (loss) loss.lost += 1
      else
        stream.write(line, (error) => {
          if (!error) return
          fail(error)
          if (loss) loss.lost += 1
        })
    },
    loss: () => loss,
  }
}

export const logToFile = (path: string, { isFresh = false } = {}): LogSink => {
  let flags = isFresh ? 'w' : 'a'
  return makeLogSink(() => {
    const file = createWriteStream(path, { flags, mode: 0o600 })
    flags = 'a'
    return file
  })
}

/** Writes to standard output, which may be a file on a full disk or a closed pipe. */
export const logToOutput = (): LogSink => makeLogSink(() => process.stdout)
