import type { Asset } from '@limber/contract/training/asset.ts'
import { useState } from 'react'
import { wordsOf } from '#platform/api.ts'
import { useEditing } from '../editors/editor-context.ts'
import { uploadOne } from './asset.api.ts'

/** Uploads files for the lesson that is edited, one after the other, and says how far it is. */
export function useUploads() {
  const { course, lessonId } = useEditing()
  const [current, setCurrent] = useState<{ name: string; share: number }>()
  const [problem, setProblem] = useState<string>()
  const target = { course_key: course.course_key, ...(lessonId === undefined ? {} : { lesson_id: lessonId }) }

  const upload = async (file: File): Promise<Asset | undefined> => {
    const name = file.name || 'the picture'
    setProblem(undefined)
    setCurrent({ name, share: 0 })
    try {
      return await uploadOne(target, file, { onProgress: (share) => setCurrent({ name, share }) })
    } catch (error) {
      setProblem(`Upload failed: ${name}: ${wordsOf(error)}`)
      return undefined
    } finally {
      setCurrent(undefined)
    }
  }
  return { upload, current, problem, target }
}
