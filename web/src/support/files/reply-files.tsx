import { formatBytes } from '@limber/contract/kit/formats/numbers.ts'
import { MAX_MESSAGE_BYTES } from '@limber/contract/support/files/ticket-file.ts'
import { ActionIcon } from '@mantine/core'
import { IconFile, IconX } from '@tabler/icons-react'
import { Progress } from '#ui/charts/progress.tsx'
import { ProblemLine } from '#ui/feedback/problem-line.tsx'
import { Icon } from '#ui/layout/icon.tsx'
import styles from './reply-files.module.css'
import type { ReplyFile, ReplyFiles } from './use-reply-files.ts'

function stateOf({ share, file }: ReplyFile): string | undefined {
  if (file) return file.state === 'unscanned' ? 'Waiting for the virus scanner' : undefined
  return share >= 1 ? 'Checking' : undefined
}

/** The files in the reply box, with progress and removal. */
export default function ReplyFileList({ files, isDisabled }: { files: ReplyFiles; isDisabled: boolean }) {
  const kept = files.items.filter(({ problem }) => problem === undefined)
  const bytes = kept.reduce((sum, item) => sum + item.bytes, 0)
  return (
    <div className={styles.files}>
      <ul className={styles.list} aria-label="Attached files">
        {files.items.map((item) => (
          <li key={item.key} className={styles.file} data-failed={item.problem ? true : undefined}>
            <Icon of={IconFile} />
            <span className={styles.name}>
              <b>{item.name}</b>
              <span className={styles.size}>{stateOf(item) ?? formatBytes(item.bytes)}</span>
            </span>
            <ActionIcon
              size={24}
              variant="subtle"
              aria-label={`Remove ${item.name}`}
              title="Remove"
              disabled={isDisabled}
              onClick={() => files.remove(item)}
            >
              <Icon of={IconX} size={14} />
            </ActionIcon>
            {!item.file && !item.problem && (
              <span className={styles.progress}>
                <Progress isBare label={`Upload of ${item.name}`} done={item.share} total={1} />
              </span>
            )}
            {item.problem && (
              <span className={styles.progress}>
                <ProblemLine>{item.problem}</ProblemLine>
              </span>
            )}
          </li>
        ))}
      </ul>
      <p className={styles.total} role="status">
        {files.isUploading ? 'Uploading. ' : ''}
        {formatBytes(bytes)} of {Math.round(MAX_MESSAGE_BYTES / 1024 / 1024)} MB
      </p>
    </div>
  )
}
