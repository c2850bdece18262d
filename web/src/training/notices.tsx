import type { CallDefinition } from '@limber/contract/kit/call.ts'
import { Button } from '@mantine/core'
import { createContext, type ReactNode, use, useCallback, useMemo, useState } from 'react'
import { messageOf } from '#platform/api/api.ts'
import { lastRequests } from '#platform/api/request.ts'
import { Banner } from '#ui/feedback/banner.tsx'
import styles from './training.module.css'

interface Notices {
  /** With the call that made the change, it can be undone. */
  succeed: (text: string, call?: CallDefinition) => void
  fail: (error: unknown) => void
}

const NoticeContext = createContext<Notices>({ succeed: () => undefined, fail: () => undefined })

/** Shows the result of an action in the banners of the screen. */
export const useNotices = () => use(NoticeContext)

function UndoLink({ request, onDone }: { request: string; onDone: () => void }) {
  const undo = () => {
    onDone()
    void import('#ui/history/undo-request.ts').then(({ undoRequest }) => undoRequest(request))
  }
  return (
    <Button variant="subtle" size="compact-sm" onClick={undo}>
      Undo
    </Button>
  )
}

/** The failure and success banners above the tabs. Each stays until it is dismissed or replaced. */
export function NoticeFrame({ children }: { children: (banners: ReactNode) => ReactNode }) {
  const [problem, setProblem] = useState<string>()
  const [success, setSuccess] = useState<{ text: string; request?: string | null | undefined }>()
  const succeed = useCallback((text: string, call?: CallDefinition) => {
    setProblem(undefined)
    setSuccess({ text, request: call && lastRequests.get(call) })
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
      {success && (
        <Banner kind="green" onDismiss={() => setSuccess(undefined)}>
          {success.text}
          {success.request && <UndoLink request={success.request} onDone={() => setSuccess(undefined)} />}
        </Banner>
      )}
    </div>
  )
  return <NoticeContext value={notices}>{children(banners)}</NoticeContext>
}
