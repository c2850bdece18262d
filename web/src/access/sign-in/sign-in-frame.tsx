import { ownZone } from '@limber/contract/kit/formats/own-zone.ts'
import { IconShieldLock } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTitle } from '#platform/routing/title.ts'
import { Icon } from '#ui/layout/icon.tsx'
import { Logo } from '#ui/layout/logo.tsx'
import { ThemeToggle } from '#ui/theme/theme-toggle.tsx'
import { Goniometer } from './goniometer.tsx'
import styles from './sign-in-frame.module.css'

interface Props {
  title: string
  /** One line below the title. */
  context?: ReactNode | undefined
  /** The names of the steps and the index of the current one. */
  steps?: { names: readonly string[]; current: number; label: string }
  children?: ReactNode
}

const zone = ownZone()

function Steps({ names, current, label }: NonNullable<Props['steps']>) {
  return (
    <ol className={styles.steps} aria-label={label}>
      {names.map((name, index) => (
        <li
          key={name}
          className={styles.step}
          data-state={index < current ? 'done' : index === current ? 'now' : 'later'}
          aria-current={index === current ? 'step' : undefined}
        >
          {name}
        </li>
      ))}
    </ol>
  )
}

/** The layout of the pages before sign-in. Every step starts at the same height. */
export function SignInFrame({ title, context, steps, children }: Props) {
  useTitle(title)
  // Screen readers read the first screen themselves. Later steps must be announced.
  const [first] = useState(title)
  const position =
    steps && steps.current < steps.names.length ? `Step ${steps.current + 1} of ${steps.names.length}: ` : ''
  const spoken = title === first ? '' : `${position}${title}`
  return (
    <div className={styles.sign}>
      <main className={styles.pane}>
        <div className={styles.top}>
          <a href="/" className={styles.mark}>
            <Logo size={24} />
            Limber
          </a>
          <ThemeToggle />
        </div>
        <div className={styles.middle}>
          {steps && <Steps {...steps} />}
          <p className={styles.spoken} role="status">
            {spoken}
          </p>
          <div>
            <h1 className={styles.title}>{title}</h1>
            {context && <p className={styles.context}>{context}</p>}
          </div>
          {children}
        </div>
        <footer className={styles.foot}>
          <span className={styles.recorded}>
            <Icon of={IconShieldLock} size={14} />
            Every sign-in is recorded.
          </span>
          <span className={styles.zone}>Times shown in {zone}</span>
        </footer>
      </main>
      <div className={styles.art}>
        <Goniometer />
      </div>
    </div>
  )
}
