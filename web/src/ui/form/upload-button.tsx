import { Button } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { messageOf } from '#platform/api/api.ts'
import type { SendOptions } from '#platform/api/request.ts'
import { Progress } from '../charts/progress.tsx'
import { ProblemLine } from '../feedback/problem-line.tsx'
import { Icon } from '../layout/icon.tsx'
import styles from './upload-button.module.css'

interface Props {
  /** Sends the files, reports progress and supports abort through the options. */
  upload: (files: File[], options: Required<Pick<SendOptions, 'signal' | 'onProgress'>>) => Promise<unknown>
  onDone?: () => void
  accept?: string
  isMultiple?: boolean
  /** The maximum size of one file in bytes. */
  limit?: number
  isDisabled?: boolean
  label?: string
  failure?: string
}

const megabytes = (bytes: number) => `${Math.round(bytes / 1_000_000)} MB`

/** An upload button with progress, Cancel and an inline error. */
export function UploadButton(props: Props) {
  const { upload, onDone, accept, isMultiple = false, limit, isDisabled = false, label = 'Upload', failure } = props
  const input = useRef<HTMLInputElement>(null)
  const [share, setShare] = useState<number>()
  const [problem, setProblem] = useState<string>()
  const [controller, setController] = useState<AbortController>()
  const isUploading = controller !== undefined

  const start = async (files: File[]) => {
    const large = limit === undefined ? undefined : files.find((file) => file.size > limit)
    if (large && limit !== undefined) return setProblem(`${large.name} is larger than ${megabytes(limit)}.`)
    const abort = new AbortController()
    setProblem(undefined)
    setShare(0)
    setController(abort)
    try {
      await upload(files, { signal: abort.signal, onProgress: setShare })
      onDone?.()
    } catch (error) {
      if (!abort.signal.aborted) setProblem(failure ? `${failure} ${messageOf(error)}` : messageOf(error))
    } finally {
      setController(undefined)
    }
  }

  return (
    <div className={styles.upload}>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={label}
        multiple={isMultiple}
        {...(accept ? { accept } : {})}
        onChange={(event) => {
          const files = [...(event.currentTarget.files ?? [])]
          event.currentTarget.value = ''
          if (files.length > 0) void start(files)
        }}
      />
      <Button
        variant="default"
        leftSection={<Icon of={IconUpload} />}
        disabled={isDisabled || isUploading}
        aria-busy={isUploading}
        onClick={() => input.current?.click()}
      >
        {isUploading ? 'Uploading...' : label}
      </Button>
      {isUploading && (
        <>
          <div className={styles.bar}>
            <Progress isBare label="Upload" done={share ?? 0} total={1} />
          </div>
          <Button variant="subtle" color="gray" onClick={() => controller.abort()}>
            Cancel
          </Button>
        </>
      )}
      <ProblemLine>{problem}</ProblemLine>
    </div>
  )
}
