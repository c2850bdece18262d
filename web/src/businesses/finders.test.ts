import { describe, expect, it, vi } from 'vitest'
import { findViews } from './finders.ts'

describe('the on-site calendar in the command palette', () => {
  it.each(['on-site', 'onsite sess', 'Sessions', 'sessions week', 'calendar'])('is found by %j', async (text) => {
    const [view] = await findViews(text)
    const go = vi.fn<(path: string) => void>()
    view?.run(go)
    expect(go.mock.calls).toEqual([['/worker/managing/businesses/sessions']])
  })

  it.each(['mission', 'si', 'sessions of Ana'])('is not found by %j', async (text) => {
    expect(await findViews(text)).toEqual([])
  })
})
