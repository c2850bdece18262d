import { describe, expect, it } from 'vitest'
import { hrefTo, linkTo, withSearch } from './links.ts'

describe('a link', () => {
  it('has a path and the search parameters of its screen', () => {
    expect(hrefTo('/growth/heatmap', { place: 'San Diego' })).toBe('/growth/heatmap?place=San+Diego')
    expect(hrefTo('/support/users', { user: 7, tab: undefined })).toBe('/support/users?user=7')
    expect(linkTo('/growth/team')).toEqual({ to: '/growth/team', search: {} })
    expect(withSearch<'/support/tickets'>({ ticket: 4 }).search({ q: 'late', ticket: 3 })).toEqual({
      q: 'late',
      ticket: 4,
    })
  })

  it('with an unknown path or parameter does not compile', () => {
    // @ts-expect-error There is no such screen.
    expect(hrefTo('/support/ticket')).toBe('/support/ticket')
    // @ts-expect-error The parameter is called ticket.
    expect(hrefTo('/support/tickets', { id: 4 })).toBe('/support/tickets?id=4')
    // @ts-expect-error There is no such tab.
    expect(linkTo('/support/users', { tab: 'mails' }).to).toBe('/support/users')
    // @ts-expect-error The parameter is called lead.
    expect(withSearch<'/growth/conversion'>({ leads: 4 }).to).toBe('.')
  })
})
