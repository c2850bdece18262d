import { Avatar } from '#ui/layout/avatar.tsx'
import styles from '../sign-in/steps.module.css'

interface Props {
  email: string
  /** The progress so far. */
  state: string
  /** Returns to the first step, if offered. */
  onStartOver?: () => void
}

const nameIn = (email: string) => (email.split('@')[0] ?? email).replaceAll(/[._-]+/g, ' ')

/** The account that is signing in and its progress. */
export function WhoRow({ email, state, onStartOver }: Props) {
  return (
    <div className={styles.as}>
      <Avatar name={nameIn(email)} tone="teal" />
      <div className={styles.who}>
        <div className={styles.email} title={email}>
          {email}
        </div>
        <div className={styles.state}>{state}</div>
      </div>
      {onStartOver && (
        <button type="button" className={styles.again} onClick={onStartOver}>
          Start over
        </button>
      )}
    </div>
  )
}
