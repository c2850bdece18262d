import type { Mfa } from '@limber/contract/access/onboarding/onboarding.ts'
import { useState } from 'react'
import { useCopy } from '../copy-text.ts'
import { FailureNote } from '../failure-note.tsx'
import { CodeForm } from '../sign-in/code-form.tsx'
import { StepButton } from '../sign-in/step-button.tsx'
import styles from './onboarding.module.css'

const inFours = (secret: string) => secret.replaceAll(/(.{4})(?=.)/g, '$1 ')

interface Props {
  generate: { data: { mfa: Mfa } | undefined; isPending: boolean; error: unknown; mutate: () => void }
  confirm: { isPending: boolean; error: unknown; mutate: (code: string) => void; reset: () => void }
}

/** Sets up an authenticator app: generate a secret, scan it, confirm a code. */
export function TwoFactorSetup({ generate, confirm }: Props) {
  const [isScanned, setScanned] = useState(false)
  const mfa = generate.data?.mfa
  const { isCopied, copy } = useCopy(mfa?.secret ?? '')
  const renew = () => {
    setScanned(false)
    confirm.reset()
    generate.mutate()
  }

  if (!mfa || generate.isPending) {
    return (
      <div className={styles.form}>
        <StepButton hasFocus busy="Generating" isBusy={generate.isPending} onPress={renew}>
          Generate QR Code
        </StepButton>
        <FailureNote error={generate.error} unexpected="2FA setup failed" />
        <p className={styles.line}>Any authenticator app works, such as the one on your phone.</p>
      </div>
    )
  }
  const again = (
    <button type="button" className={styles.again} onClick={renew}>
      Generate a new QR code
    </button>
  )
  if (isScanned) {
    return (
      <CodeForm
        hint="Enter the code your app shows now."
        action="Confirm code"
        busy="Setting up"
        onCode={(code) => confirm.mutate(code)}
        isBusy={confirm.isPending}
        error={confirm.error}
        failure={<FailureNote error={confirm.error} unexpected="2FA setup failed" />}
        foot={<p className={styles.line}>No code, or an incorrect one? {again}</p>}
      />
    )
  }
  return (
    <div className={styles.form}>
      <div className={styles.scan}>
        <img
          className={styles.qr}
          src={mfa.qrCodeDataURL}
          width={148}
          height={148}
          alt="QR code for the authenticator app"
        />
        <div className={styles.hand}>
          <p>Scan this code with an authenticator app, or enter the secret by hand:</p>
          <p>
            <code className={styles.secret}>{inFours(mfa.secret)}</code>
            <button type="button" className={styles.again} onClick={copy}>
              {isCopied ? 'Copied' : 'Copy secret'}
            </button>
          </p>
        </div>
      </div>
      <StepButton hasFocus busy="Setting up" isBusy={false} onPress={() => setScanned(true)}>
        I've scanned
      </StepButton>
      <p className={styles.line}>The QR code is shown only once. {again}</p>
    </div>
  )
}
