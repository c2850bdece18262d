import { Worker } from 'node:worker_threads'
import { SECOND } from '#platform/clock.ts'
import { workerFile } from '#platform/paths.ts'
import { type ParsedMail, parseRoughly } from './parse-mail.ts'

export const READ_LIMITS = {
  timeout: 30 * SECOND,
  /** Of the thread, without the content of files, which is outside its heap. */
  memory: 256,
}

/** A thread that parses one email after another, so that no email holds up other calls. */
let thread: Worker | undefined
let queue: Promise<unknown> = Promise.resolve()

function openThread(memory: number): Worker {
  const opened = new Worker(workerFile('mail', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: memory, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
  })
  // It must not keep a process alive, and its end is noticed by whoever waits for it.
  opened.unref()
  opened.on('error', () => {})
  opened.once('exit', () => {
    if (thread === opened) thread = undefined
  })
  return opened
}

/** The parsed email; undefined when the thread cannot read it, or takes too much time or memory. */
function parseInThread(raw: Buffer, { timeout, memory }: typeof READ_LIMITS): Promise<ParsedMail | undefined> {
  thread ??= openThread(memory)
  const worker = thread
  return new Promise((done) => {
    const timer = setTimeout(() => void worker.terminate(), timeout)
    const end = (mail?: ParsedMail) => {
      clearTimeout(timer)
      worker.off('message', end)
      worker.off('exit', onExit)
      done(mail)
    }
    const onExit = () => end()
    worker.on('message', end)
    worker.on('exit', onExit)
    worker.postMessage(raw)
  })
}

/** Reads an email. One that cannot be read is still a result, so that it does not hold up the mailbox. */
export async function readMail(raw: Buffer, limits = READ_LIMITS): Promise<ParsedMail> {
  const turn = queue.then(() => parseInThread(raw, limits))
  queue = turn.catch(() => undefined)
  const mail = await turn
  // A digest that went through the thread is no longer a Buffer.
  return mail ? { ...mail, digest: Buffer.from(mail.digest) } : parseRoughly(raw)
}
