import { describe, expect, it } from 'vitest'
import { clearReturnLink, discardReturnLink, internalPath, returnLink, saveReturnLink } from './return-link.ts'

describe('the return link', () => {
  it.each([
    ['/support/tickets?ticket=7#end', '/support/tickets?ticket=7#end'],
    ['/worker/../growth', '/growth'],
    ['//evil.example/x', undefined],
    ['/\\evil.example', undefined],
    ['https://evil.example', undefined],
    ['javascript:alert(1)', undefined],
    ['/', undefined],
    ['/redirect', undefined],
    ['', undefined],
    [null, undefined],
  ])('%s leads to %s', (link, path) => expect(internalPath(link)).toBe(path))

  it('is kept until sign-in', () => {
    saveReturnLink('/growth/overview')
    expect(returnLink()).toBe('/growth/overview')
    clearReturnLink()
    expect(returnLink()).toBeUndefined()
  })

  it('is not saved after a deliberate sign-out', () => {
    discardReturnLink()
    saveReturnLink('/growth/overview')
    expect(returnLink()).toBeUndefined()
    clearReturnLink()
  })

  it('does not trust stored values', () => {
    sessionStorage.setItem('limber.return-link', '//evil.example')
    expect(returnLink()).toBeUndefined()
  })
})
