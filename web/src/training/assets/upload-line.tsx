import { Button } from '@mantine/core'
import { Progress } from '#ui/charts/progress.tsx'
import { ProblemLine } from '#ui/feedback/problem-line.tsx'
import styles from './assets.module.css'
import type { Uploads } from './use-uploads.ts'

/** How far a file is that was pasted or dropped; it can be called off. Every one that failed is named until the next are. */
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
