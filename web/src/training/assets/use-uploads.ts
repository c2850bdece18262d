import type { Asset } from '@limber/contract/training/assets/asset.ts'
import { useState } from 'react'
import { messageOf } from '#platform/api/api.ts'
import { useTarget } from '../editors/editor-context.ts'
import { uploadOne } from './asset.api.ts'

/** Uploads files for the lesson being edited, one at a time, with progress. */
export function useUploads() {
  const target = useTarget()
  const [current, setCurrent] = useState<{ name: string; share: number; abort: AbortController }>()
  const [problems, setProblems] = useState<readonly string[]>([])

  const uploadNext = async (file: File, onUploaded: (asset: Asset) => void) => {
    const name = file.name || 'the image'
    const abort = new AbortController()
    setCurrent({ name, share: 0, abort })
    try {
      const onProgress = (share: number) => setCurrent({ name, share, abort })
      onUploaded(await uploadOne(target, file, { onProgress, signal: abort.signal }))
    } catch (error) {
      const message = `Upload failed: ${name}: ${messageOf(error)}`
      if (!abort.signal.aborted) setProblems((before) => [...before.filter((each) => each !== message), message])
    } finally {
      setCurrent(undefined)
    }
  }
  const upload = async (files: readonly File[], onUploaded: (asset: Asset) => void) => {
    setProblems([])
    for (const file of files) await uploadNext(file, onUploaded)
  }
  return { upload, current, problems, cancel: () => current?.abort.abort() }
}
export type Uploads = ReturnType<typeof useUploads>
