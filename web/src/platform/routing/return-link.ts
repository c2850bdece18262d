const KEY = 'limber.return-link'

let isLeaving = false

/** A path inside this app, or undefined. Links to other sites are never followed after sign-in. */
export function internalPath(link: string | null | undefined): string | undefined {
  if (!link || !/^\/(?![/\\])/.test(link)) return undefined
  try {
    const url = new URL(link, location.origin)
    if (url.origin !== location.origin || url.pathname === '/' || url.pathname === '/redirect') return undefined
    return url.pathname + url.search + url.hash
  } catch {
    return undefined
  }
}

/** Saves the path that was requested while signed out. */
export function saveReturnLink(link: string): void {
  const path = internalPath(link)
  if (path && !isLeaving) sessionStorage.setItem(KEY, path)
}

/** After a deliberate sign-out, the next sign-in starts at home. */
export function discardReturnLink(): void {
  isLeaving = true
  sessionStorage.removeItem(KEY)
}

/** The saved path, if any. */
export const returnLink = (): string | undefined => internalPath(sessionStorage.getItem(KEY))

/** Clears the saved path after sign-in. */
export function clearReturnLink(): void {
  sessionStorage.removeItem(KEY)
  isLeaving = false
}
