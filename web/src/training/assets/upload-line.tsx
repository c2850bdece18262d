import { Button } from '@mantine/core'
import { Progress } from '#ui/charts/progress.tsx'
import { ProblemLine } from '#ui/feedback/problem-line.tsx'
import styles from './assets.module.css'
import type { Uploads } from './use-uploads.ts'

/** The progress of a pasted or dropped file, with Cancel. Failed files stay listed until the next upload. */
export function UploadLine({ uploads: { current, problems, cancel } }: { uploads: Uploads }) {
  return (
    <>
      {current && (
        <div className={styles.uploading}>
          <Progress label={`Uploading ${current.name}`} done={current.share} total={1} />
          <Button variant="subtle" color="gray" size="xs" onClick={cancel}>
            Cancel
          </Button>
        </div>
      )}
      {problems.map((problem) => (
        <ProblemLine key={problem}>{problem}</ProblemLine>
      ))}
    </>
  )
}
