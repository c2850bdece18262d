import { createWriteStream } from 'node:fs'
import type { Writable } from 'node:stream'
import { SECOND, systemClock } from '../clock.ts'

/** Why lines of the log are being lost. */
export interface LogLoss {
  reason: string
  /** Lines lost so far. */
  lost: number
}

/** Where log lines go. A full disk must not end the process: lines are lost, counted, and the loss is told. */
export interface LogSink {
  write(line: string): void
  /** Nothing while lines can be written. */
  loss(): LogLoss | undefined
}

const RETRY_EVERY = 1 * SECOND

const lossLine = (count: number) =>
  `${JSON.stringify({ level: 'warn', time: systemClock.now().toISOString(), count, msg: 'log lines were lost' })}\n`

/** Writes to what `open` gives, and opens it again after a failure until a line gets through. */
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
      // The next one tells of its failures; this one may have some left.
      stream.on('error', () => {})
      stream = connect()
      const told = loss?.lost ?? 0
      // A line that was cut off ends here.
      stream.write(`\n${lossLine(told)}`, (error) => {
        if (error) return retryLater()
        const more = (loss?.lost ?? 0) - told
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

/** Appends to a file. */
export const logToFile = (path: string, { isFresh = false } = {}): LogSink => {
  let flags = isFresh ? 'w' : 'a'
  return makeLogSink(() => {
    const file = createWriteStream(path, { flags, mode: 0o600 })
    flags = 'a'
    return file
  })
}

/** Writes to standard output, which may be a file on a full disk, or a pipe whose reader is gone. */
export const logToOutput = (): LogSink => makeLogSink(() => process.stdout)
