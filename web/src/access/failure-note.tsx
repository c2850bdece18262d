import { Banner } from '#ui/feedback/banner.tsx'
import styles from './failure-note.module.css'
import { explain } from './sign-in/step-failure.ts'

interface Props {
  /** What was thrown; nothing is shown for nothing. */
  error: unknown
  /** The words for what nobody foresaw. */
  unexpected?: string
}

/** The failure of a step, in the place where it happened. */
export function FailureNote({ error, unexpected }: Props) {
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
