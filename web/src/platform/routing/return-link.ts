const KEY = 'limber.return-link'

let isLeaving = false

/** A place inside this app, or nothing: a link that leads elsewhere is never followed after sign-in. */
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

/** Keeps the place that was asked for while signed out. */
export function saveReturnLink(link: string): void {
  const path = internalPath(link)
  if (path && !isLeaving) sessionStorage.setItem(KEY, path)
}

/** Whoever signs out on purpose is not brought back to where they were. */
export function discardReturnLink(): void {
  isLeaving = true
  sessionStorage.removeItem(KEY)
}

/** The kept place, if there is one. */
export const returnLink = (): string | undefined => internalPath(sessionStorage.getItem(KEY))

/** Whoever has arrived needs the kept place no more. */
export function clearReturnLink(): void {
  sessionStorage.removeItem(KEY)
  isLeaving = false
}
