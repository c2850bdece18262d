import { useEffect, useState } from 'react'
import styles from './steps.module.css'

const WAIT = 30

/** Requests another code, at most every 30 seconds. */
export function ResendCode({ onResend, isBusy }: { onResend: () => Promise<boolean>; isBusy: boolean }) {
  const [left, setLeft] = useState(WAIT)
  const [isSent, setSent] = useState(false)
  const isWaiting = left > 0
  useEffect(() => {
    if (!isWaiting) return
    const timer = setInterval(() => setLeft((seconds) => seconds - 1), 1_000)
    return () => clearInterval(timer)
  }, [isWaiting])

  const resend = async () => {
    setSent(false)
    if (!(await onResend())) return
    setSent(true)
    setLeft(WAIT)
  }
  return (
    <p className={styles.line}>
      <span role="status">{isSent ? 'New code sent. The old one no longer works.' : 'No code yet?'} </span>
      <button type="button" className={styles.again} disabled={isWaiting || isBusy} onClick={() => void resend()}>
        {isWaiting ? `Send again in ${left} s` : 'Resend code'}
      </button>
    </p>
  )
}
