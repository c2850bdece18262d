import { createContext, type ReactNode, use, useCallback, useMemo, useState } from 'react'
import { messageOf } from '#platform/api/api.ts'
import { Banner } from '#ui/feedback/banner.tsx'
import styles from './training.module.css'

interface Notices {
  succeed: (text: string) => void
  fail: (error: unknown) => void
}

const NoticeContext = createContext<Notices>({ succeed: () => undefined, fail: () => undefined })

/** Shows the result of an action in the banners of the screen. */
export const useNotices = () => use(NoticeContext)

/** The failure and success banners above the tabs. Each stays until it is dismissed or replaced. */
export function NoticeFrame({ children }: { children: (banners: ReactNode) => ReactNode }) {
  const [problem, setProblem] = useState<string>()
  const [success, setSuccess] = useState<string>()
  const succeed = useCallback((text: string) => {
    setProblem(undefined)
    setSuccess(text)
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
          {success}
        </Banner>
      )}
    </div>
  )
  return <NoticeContext value={notices}>{children(banners)}</NoticeContext>
}
