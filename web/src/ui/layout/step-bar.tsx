import { IconCheck } from '@tabler/icons-react'
import { Icon } from './icon.tsx'
import styles from './step-bar.module.css'

interface Props<S extends string> {
  steps: readonly S[]
  labels: Readonly<Record<S, string>>
  step: S
  /** The current step is completed, too. */
  isDone?: boolean
  /** Steps with a problem. */
  wrong?: ReadonlySet<S>
  /** With it, each step is a button. */
  onOpen?: (step: S) => void
}

/** The steps of a longer task, in order. On narrow screens only the current one shows its name. */
export function StepBar<S extends string>({ steps, labels, step, isDone = false, wrong, onOpen }: Props<S>) {
  const at = steps.indexOf(step)
  return (
    <ol className={styles.steps} aria-label="Steps">
      {steps.map((one, place) => {
        const isPast = place < at || (isDone && place === at)
        const isWrong = wrong?.has(one) ?? false
        const content = (
          <>
            <span className={styles.mark} aria-hidden>
              {isWrong ? '!' : isPast ? <Icon of={IconCheck} size={12} /> : place + 1}
            </span>
            <span className={styles.name}>{labels[one]}</span>
          </>
        )
        return (
          <li
            key={one}
            className={styles.step}
            data-done={place < at || undefined}
            data-wrong={isWrong || undefined}
            aria-current={one === step ? 'step' : undefined}
          >
            {onOpen ? (
              <button type="button" className={styles.open} onClick={() => onOpen(one)}>
                {content}
              </button>
            ) : (
              content
            )}
          </li>
        )
      })}
    </ol>
  )
}
