import { describe, expect, it, vi } from 'vitest'
import { reloadOnNewVersion } from './reload-on-new-version.ts'

const miss = (file: string) => {
  const event = Object.assign(new Event('vite:preloadError', { cancelable: true }), { payload: new Error(file) })
  dispatchEvent(event)
  return event.defaultPrevented
}

describe('a page from an older version', () => {
  it('reloads once per missing file', () => {
    const reload = vi.fn()
    reloadOnNewVersion(reload)
    expect(miss('today-1.js')).toBe(true)
    expect(miss('today-1.js')).toBe(false)
    expect(miss('today-2.js')).toBe(true)
    expect(reload).toHaveBeenCalledTimes(2)
  })

  it('does not reload while it is left for another page', () => {
    const reload = vi.fn()
    reloadOnNewVersion(reload)
    dispatchEvent(new Event('beforeunload'))
    miss('today-3.js')
    expect(reload).not.toHaveBeenCalled()
  })
})
