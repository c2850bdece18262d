import { Button } from '@mantine/core'
import { createContext, type ReactNode, use, useCallback, useMemo, useState } from 'react'
import { messageOf } from '#platform/api/api.ts'
import { requests } from '#platform/api/request.ts'
import { Banner } from '#ui/feedback/banner.tsx'
import styles from './training.module.css'

interface Success {
  text: string
  /** The reply to the change, if it can be undone. */
  reply?: unknown
}

interface Notices {
  /** With the reply to the change, it can be undone. */
  succeed: (text: string, reply?: unknown) => void
  fail: (error: unknown) => void
}

const NoticeContext = createContext<Notices>({ succeed: () => undefined, fail: () => undefined })

/** Shows the result of an action in the banners of the screen. */
export const useNotices = () => use(NoticeContext)

/** Says what a request changed, with Undo. */
export function SuccessBanner({ text, reply, onDismiss }: Success & { onDismiss: () => void }) {
  const request = requests.get(reply as object)
  const undo = () => {
    onDismiss()
    if (request) void import('#ui/history/undo-request.ts').then(({ undoRequest }) => undoRequest(request.id))
  }
  return (
    <Banner kind="green" onDismiss={onDismiss}>
      {text}
      {request && (
        <Button variant="subtle" size="compact-sm" onClick={undo}>
          Undo
        </Button>
      )}
    </Banner>
  )
}

/** The failure and success banners above the tabs. Each stays until it is dismissed or replaced. */
export function NoticeFrame({ children }: { children: (banners: ReactNode) => ReactNode }) {
  const [problem, setProblem] = useState<string>()
  const [success, setSuccess] = useState<Success>()
  const succeed = useCallback((text: string, reply?: unknown) => {
    setProblem(undefined)
    setSuccess({ text, reply })
  }, [])
  const fail = useCallback((error: unknown) => {
    setSuccess(undefined)
    setProblem(messageOf(error))
  }, [])
  const notices = useMemo(() => ({ succeed, fail }), [succeed, fail])
  const banners = (problem || success) && (
    <div className={styles.banners}>
      {problem && (
        <Banner kind="red" onDismiss={() => setProblem(undefined)}>
          {problem}
        </Banner>
      )}
      {success && <SuccessBanner {...success} onDismiss={() => setSuccess(undefined)} />}
    </div>
  )
  return <NoticeContext value={notices}>{children(banners)}</NoticeContext>
}
