import { formatBytes } from '@limber/contract/kit/formats/numbers.ts'
import { MAX_MESSAGE_BYTES, MAX_MESSAGE_FILES, type TicketFile } from '@limber/contract/support/files/ticket-file.ts'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { messageOf } from '#platform/api/api.ts'
import { draftFilesQuery, removeFile, uploadFile } from './file.api.ts'

/** A file in the reply box. */
export interface ReplyFile {
  key: number
  name: string
  bytes: number
  /** The uploaded part, from 0 to 1. */
  share: number
  /** Undefined until it is uploaded. */
  file?: TicketFile
  problem?: string
  abort: AbortController
}

const none: readonly TicketFile[] = []

/** Why a file cannot be added to others. */
function problemOf(file: Pick<File, 'name' | 'size'>, others: readonly { bytes: number; problem?: string }[]) {
  const kept = others.filter(({ problem }) => problem === undefined)
  if (file.size === 0) return 'The file is empty.'
  if (kept.length >= MAX_MESSAGE_FILES) return `A message can have at most ${MAX_MESSAGE_FILES} files.`
  const used = kept.reduce((sum, { bytes }) => sum + bytes, 0)
  if (used + file.size <= MAX_MESSAGE_BYTES) return undefined
  return `The files of a message can have at most 25 MB together. This one has ${formatBytes(file.size)}.`
}

/** The files of a reply that is not sent yet. They are uploaded one after another, as soon as they are added. */
export function useReplyFiles(ticketId: number) {
  const earlier = useQuery(draftFilesQuery(ticketId)).data ?? none
  const [added, setAdded] = useState<readonly ReplyFile[]>([])
  const [removed, setRemoved] = useState<readonly number[]>([])
  const queue = useRef(Promise.resolve())
  const count = useRef(0)

  const change = (key: number, more: Partial<ReplyFile>) =>
    setAdded((before) => before.map((each) => (each.key === key ? { ...each, ...more } : each)))
  const upload = async (item: ReplyFile, file: File) => {
    if (item.abort.signal.aborted) return
    try {
      const onProgress = (share: number) => change(item.key, { share })
      change(item.key, { file: await uploadFile(ticketId, file, { onProgress, signal: item.abort.signal }), share: 1 })
    } catch (error) {
      if (!item.abort.signal.aborted) change(item.key, { problem: messageOf(error) })
    }
  }
  const items: ReplyFile[] = [
    ...earlier
      .filter(({ id }) => !added.some(({ file }) => file?.id === id))
      .map((file) => ({
        ...{ key: -file.id, name: file.filename, bytes: file.bytes, share: 1, file },
        abort: new AbortController(),
      })),
    ...added,
  ].filter(({ file }) => !file || !removed.includes(file.id))

  const add = (files: readonly File[]) => {
    const fresh: ReplyFile[] = []
    for (const file of files) {
      const problem = problemOf(file, [...items, ...fresh])
      count.current += 1
      const item: ReplyFile = {
        ...{
          key: count.current,
          name: file.name || 'image.png',
          bytes: file.size,
          share: 0,
          abort: new AbortController(),
        },
        ...(problem && { problem }),
      }
      fresh.push(item)
      if (!problem) queue.current = queue.current.then(() => upload(item, file))
    }
    setAdded((before) => [...before, ...fresh])
  }
  const drop = ({ key, file, abort }: ReplyFile) => {
    abort.abort()
    setAdded((before) => before.filter((each) => each.key !== key))
    if (!file) return
    setRemoved((before) => [...before, file.id])
    // A file that stays is deleted after a day.
    removeFile(file.id).catch(() => {})
  }
  return {
    items,
    add,
    remove: drop,
    ids: items.flatMap(({ file, problem }) => (file && !problem ? [file.id] : [])),
    isUploading: items.some(({ file, problem }) => !file && !problem),
    hasProblem: items.some(({ problem }) => problem !== undefined),
    clear: () => {
      setRemoved((before) => [...before, ...items.flatMap(({ file }) => file?.id ?? [])])
      setAdded([])
    },
  }
}
export type ReplyFiles = ReturnType<typeof useReplyFiles>
