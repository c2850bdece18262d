import type { Asset } from '@limber/contract/training/asset.ts'
import { useState } from 'react'
import { wordsOf } from '#platform/api.ts'
import { useTarget } from '../editors/editor-context.ts'
import { uploadOne } from './asset.api.ts'

/** Uploads files for the lesson that is edited, one after the other, and says how far it is. */
export function useUploads() {
  const target = useTarget()
  const [current, setCurrent] = useState<{ name: string; share: number; abort: AbortController }>()
  const [problem, setProblem] = useState<string>()

  const upload = async (file: File): Promise<Asset | undefined> => {
    const name = file.name || 'the picture'
    const abort = new AbortController()
    setProblem(undefined)
    setCurrent({ name, share: 0, abort })
    try {
      const onProgress = (share: number) => setCurrent({ name, share, abort })
      return await uploadOne(target, file, { onProgress, signal: abort.signal })
    } catch (error) {
      if (!abort.signal.aborted) setProblem(`Upload failed: ${name}: ${wordsOf(error)}`)
      return undefined
    } finally {
      setCurrent(undefined)
    }
  }
  return { upload, current, problem, cancel: () => current?.abort.abort() }
}
export type Uploads = ReturnType<typeof useUploads>
