import { Banner } from '#ui/feedback/banner.tsx'
import styles from './failure-note.module.css'
import { explain } from './sign-in/step-failure.ts'

interface Props {
  /** The thrown value. Renders nothing when it is empty. */
  error: unknown
  /** The text for an unexpected error. */
  unexpected?: string
}

/** The error of a step, shown next to it. */
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
