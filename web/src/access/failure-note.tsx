import { CallFailure } from '#platform/call-failure.ts'
import { Banner } from '#ui/banner.tsx'
import styles from './failure-note.module.css'
import { PasskeyProblem } from './passkey.ts'

/** What failed, and the words for it when the server gave none. */
export class StepFailure extends Error {
  override readonly name = 'StepFailure'
  override readonly cause: unknown

  constructor(fallback: string, cause: unknown) {
    super(fallback)
    this.cause = cause
  }
}

/** Runs one step; a failure carries the words to fall back on. */
export async function attempt<T>(fallback: string, step: Promise<T>): Promise<T> {
  try {
    return await step
  } catch (error) {
    throw new StepFailure(fallback, error)
  }
}

interface Words {
  text: string
  detail?: string
  code?: string
}

const waitText = (seconds: number) =>
  seconds < 90 ? `Try again in ${seconds} seconds.` : `Try again in ${Math.ceil(seconds / 60)} minutes.`

/** The server's words; its absence, or a page that is not ours, leaves the fallback and the reason below it. */
export function explain(error: unknown, unexpected = 'Something went wrong on this page.'): Words {
  if (error instanceof PasskeyProblem) return { text: error.message, code: error.code }
  if (error instanceof StepFailure) {
    const inner = explain(error.cause, error.message)
    const isServers = error.cause instanceof CallFailure && !isWordless(error.cause)
    if (isServers || error.cause instanceof PasskeyProblem) return inner
    return { ...inner, text: error.message, ...(inner.text === error.message ? {} : { detail: inner.text }) }
  }
  if (!(error instanceof CallFailure)) return { text: unexpected }
  return { text: error.message, ...(error.retryAfter ? { detail: waitText(error.retryAfter) } : {}) }
}

const isWordless = ({ status, code }: CallFailure) => status === 0 || code.startsWith('status_')

/** The failure of a step, in the place where it happened. */
export function FailureNote({ error, unexpected }: { error: unknown; unexpected?: string }) {
  if (error === undefined || error === null) return null
  const { text, detail, code } = explain(error, unexpected)
  return (
    <Banner kind="red">
      <span>{text}</span>
      {detail && <span className={styles.detail}>{detail}</span>}
      {code && <code className={styles.code}>{code}</code>}
    </Banner>
  )
}
