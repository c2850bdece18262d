import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { FakeEventSource } from '../testing/testing.live.ts'
import { closeLive, listenLive, openLive } from './live.ts'

beforeEach(() => {
  FakeEventSource.all.length = 0
  vi.stubGlobal('EventSource', FakeEventSource)
})
afterEach(() => {
  closeLive()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const show = (state: DocumentVisibilityState) => {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state)
  document.dispatchEvent(new Event('visibilitychange'))
}

it('a displaced tab reconnects when it becomes visible, and refreshes what it missed', () => {
  const heard: unknown[] = []
  const stop = listenLive('tickets', (message) => heard.push(message))
  openLive()
  FakeEventSource.last.onopen?.()
  FakeEventSource.last.onmessage?.({ data: '{"topic":"displaced"}' })
  expect(FakeEventSource.last.isClosed).toBe(true)
  show('hidden')
  expect(FakeEventSource.all).toHaveLength(1)
  show('visible')
  expect(FakeEventSource.all).toHaveLength(2)
  FakeEventSource.last.onopen?.()
  expect(heard).toEqual([{ topic: 'tickets', missed: true }])
  show('visible')
  expect(FakeEventSource.all).toHaveLength(2)
  stop()
})

it('a displaced tab that was closed stays closed', () => {
  openLive()
  FakeEventSource.last.onmessage?.({ data: '{"topic":"displaced"}' })
  closeLive()
  show('visible')
  expect(FakeEventSource.all).toHaveLength(1)
})

it('an unknown topic does not compile', () => {
  // @ts-expect-error It is called tickets.
  expect(listenLive('ticket', () => {})).toBeTypeOf('function')
})
