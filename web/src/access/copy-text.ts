import { useEffect, useState } from 'react'
import { toastFailure } from '#ui/feedback/toast-store.ts'

/** Copies a text and reports it for two seconds. Unlike CopyButton it needs no tooltip, which public pages do not load. */
export function useCopy(text: string): { isCopied: boolean; copy: () => void } {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), 2_000)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = () =>
    void navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () =>
        toastFailure("Couldn't copy", undefined, {
          detail: 'Your browser blocked access to the clipboard. Select the text and copy it.',
        }),
    )
  return { isCopied, copy }
}
