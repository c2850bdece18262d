import { useSyncExternalStore } from 'react'

// The router loads only for signed-in people, so sign-in and sign-out navigate without it.
const watchers = new Set<() => void>()

const watch = (watcher: () => void) => {
  watchers.add(watcher)
  window.addEventListener('popstate', watcher)
  return () => {
    watchers.delete(watcher)
    window.removeEventListener('popstate', watcher)
  }
}

/** The current path, for code that runs without the router. */
export const usePathname = () => useSyncExternalStore(watch, () => location.pathname)

/** Replaces the current path, without the router and without a history entry. */
export function replacePath(path: string): void {
  history.replaceState(null, '', path)
  for (const watcher of watchers) watcher()
}
