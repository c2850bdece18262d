const KEY = 'limber.renewed'

/**
 * A page that was opened before a new version came names files that are gone. It is loaded anew, once for each missing
 * file, so that a file which is missing for another reason does not reload the page for ever.
 */
export function reloadOnNewVersion(reload = () => location.reload()) {
  addEventListener('vite:preloadError', (event) => {
    const missing = String((event as Event & { payload?: unknown }).payload)
    if (sessionStorage.getItem(KEY) === missing) return
    sessionStorage.setItem(KEY, missing)
    event.preventDefault()
    reload()
  })
}
