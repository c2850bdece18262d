const KEY = 'limber.renewed'
const LEAVING_MS = 5000

/**
 * A page that was opened before a deployment refers to files that are gone. It reloads once per missing file, so that a
 * file that is missing for another reason does not cause endless reloads.
 */
export function reloadOnNewVersion(reload = () => location.reload()) {
  // Firefox ends the imports of a page that is left. To reload it then would cancel the way to the next page.
  let leftAt = Number.NEGATIVE_INFINITY
  addEventListener('beforeunload', () => {
    leftAt = performance.now()
  })
  addEventListener('vite:preloadError', (event) => {
    if (performance.now() - leftAt < LEAVING_MS) return
    const missing = String((event as Event & { payload?: unknown }).payload)
    if (sessionStorage.getItem(KEY) === missing) return
    sessionStorage.setItem(KEY, missing)
    event.preventDefault()
    reload()
  })
}
