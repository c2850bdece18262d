import { useEffect } from 'react'

/** Names the browser's tab after what is shown. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title ? `${title} · Limber` : 'Limber'
  }, [title])
}
