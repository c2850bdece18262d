const KEY = 'limber.renewed'

/**
 * A page that was opened before a deployment refers to files that are gone. It reloads once per missing file, so that a
 * file that is missing for another reason does not cause endless reloads.
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
