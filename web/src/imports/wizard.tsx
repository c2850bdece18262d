import type { Import } from '@limber/contract/imports/import.ts'
import { Button } from '@mantine/core'
import { IconFileTypeCsv, IconHistory } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { linkTo } from '#platform/routing/links.ts'
import { isLetterKey } from '#ui/keyboard/is-page-key.ts'
import { isSendKey } from '#ui/keyboard/send-key.ts'
import { useWindowKeys } from '#ui/keyboard/use-window-keys.ts'
import { Icon } from '#ui/layout/icon.tsx'
import { PageHead } from '#ui/layout/page-head.tsx'
import { StepBar } from '#ui/layout/step-bar.tsx'
import { fileText } from './import-labels.ts'
import { type Step, steps } from './import-search.ts'
import styles from './wizard.module.css'

const stepLabels: Record<Step, string> = {
  upload: 'Upload',
  columns: 'Match columns',
  check: 'Check',
  apply: 'Apply',
  result: 'Result',
}

interface Action {
  label: string
  run: () => void
  isOff?: boolean
  isBusy?: boolean
}

interface Props {
  title: string
  /** Where the import stands, in one line. */
  context: ReactNode
  step: Step
  isDone?: boolean
  file?: Import['file'] | undefined
  children: ReactNode
  /** What decides, at the left of the footer. */
  choice?: ReactNode
  back?: Action | undefined
  next?: Action | undefined
}

/** The frame of the five steps. `[` and `]` go between steps, Ctrl-Enter presses the primary button. */
export function Wizard({ title, context, step, isDone = false, file, children, choice, back, next }: Props) {
  const canGoOn = next && !next.isOff && !next.isBusy
  useWindowKeys((event) => {
    if (document.querySelector('[role=dialog], [role=alertdialog]')) return
    if (isSendKey(event)) {
      if (!canGoOn) return
      event.preventDefault()
      next.run()
    } else if (isLetterKey(event)) {
      if (event.key === '[') back?.run()
      // Applying writes, so it takes the button or Ctrl-Enter.
      if (event.key === ']' && canGoOn && step !== 'check') next.run()
    }
  })
  return (
    <div className={styles.page}>
      <PageHead
        title={title}
        actions={
          <Button
            variant="default"
            leftSection={<Icon of={IconHistory} />}
            renderRoot={(props) => <Link {...props} {...linkTo('/worker/import', { view: 'past' })} />}
          >
            Past imports
          </Button>
        }
        isOneLine
      >
        {context}
      </PageHead>
      <div className={styles.bar}>
        <StepBar steps={steps} labels={stepLabels} step={step} isDone={isDone} />
        {file && (
          <span className={styles.file}>
            <Icon of={IconFileTypeCsv} />
            <b title={file.name}>{file.name}</b>
            <span className={styles.facts}>{fileText(file)}</span>
          </span>
        )}
      </div>
      <div className={styles.body}>{children}</div>
      {(choice || back || next) && (
        <div className={styles.foot}>
          <div className={styles.choice}>{choice}</div>
          <div className={styles.buttons}>
            {back && (
              <Button variant="default" aria-keyshortcuts="[" onClick={back.run} loading={back.isBusy ?? false}>
                {back.label}
              </Button>
            )}
            {next && (
              <Button
                aria-keyshortcuts="Control+Enter"
                disabled={next.isOff ?? false}
                loading={next.isBusy ?? false}
                onClick={next.run}
              >
                {next.label}
              </Button>
            )}
          </div>
        </div>
      )}
    </div>
  )
}
