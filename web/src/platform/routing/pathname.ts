import { useSyncExternalStore } from 'react'

// Who is signed in decides whether the router is there at all, so this part of the way is walked without it.
const watchers = new Set<() => void>()

const watch = (watcher: () => void) => {
  watchers.add(watcher)
  window.addEventListener('popstate', watcher)
  return () => {
    watchers.delete(watcher)
    window.removeEventListener('popstate', watcher)
  }
}

/** Where the browser is, as far as the way in and out of the app is concerned. */
export const usePathname = () => useSyncExternalStore(watch, () => location.pathname)

/** Goes to another place on the way in or out, instead of the present one. */
export function replacePath(path: string): void {
  history.replaceState(null, '', path)
  for (const watcher of watchers) watcher()
}
