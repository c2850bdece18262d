import { Avatar } from '#ui/layout/avatar.tsx'
import styles from '../sign-in/steps.module.css'

interface Props {
  email: string
  /** How far they have come. */
  state: string
  /** The way back to the first step, where there is one. */
  onStartOver?: () => void
}

const nameIn = (email: string) => (email.split('@')[0] ?? email).replaceAll(/[._-]+/g, ' ')

/** Who it is about, and how far they have come. */
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
