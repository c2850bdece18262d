import type { LiveTopic } from '@limber/contract/kit/live.ts'
import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'

/** What the server tells: which topic changed, often which record. `missed` follows a broken connection: anything may have changed. */
export interface LiveMessage {
  topic: string
  id?: number | string
  missed?: boolean
  [detail: string]: unknown
}

type Listener = (message: LiveMessage) => void

const ADDRESS = '/api/live'
const MAX_RETRY_DELAY = 30_000

const listeners = new Map<string, Set<Listener>>()
let source: EventSource | undefined
let retry: ReturnType<typeof setTimeout> | undefined
let isWanted = false
let losses = 0

// A server that is started anew is back before the third attempt.
const LOSSES_BEFORE_WARNING = 3
const watchers = new Set<() => void>()

function setLosses(count: number): void {
  losses = count
  for (const watcher of watchers) watcher()
}

function notify(message: LiveMessage): void {
  for (const listener of listeners.get(message.topic) ?? []) listener(message)
}

function parseMessage(text: string): LiveMessage | undefined {
  try {
    const message: unknown = JSON.parse(text)
    const isMessage = typeof message === 'object' && message !== null && 'topic' in message
    return isMessage && typeof message.topic === 'string' ? (message as LiveMessage) : undefined
  } catch {
    return undefined
  }
}

function connect(): void {
  const stream = new EventSource(ADDRESS)
  source = stream
  stream.onopen = () => {
    if (losses > 0) for (const topic of [...listeners.keys()]) notify({ topic, missed: true })
    setLosses(0)
  }
  stream.onmessage = (event: MessageEvent<string>) => {
    const message = parseMessage(event.data)
    if (message?.topic === 'displaced') pauseUntilVisible(stream)
    else if (message) notify(message)
  }
  stream.onerror = () => {
    stream.close()
    if (source !== stream || !isWanted) return
    setLosses(losses + 1)
    // The server closes the stream of a session that ended; whoever sits there must not go on reading.
    notify({ topic: 'session' })
    // Spread out, so that a restarted server is not met by every tab in the same second.
    const wait = Math.min(1_000 * 2 ** (losses - 1), MAX_RETRY_DELAY) * (0.75 + Math.random() / 2)
    retry = setTimeout(connect, wait)
  }
}

/** This is the oldest of too many tabs. Coming back by itself it would displace another: it waits to be looked at. */
function pauseUntilVisible(stream: EventSource): void {
  stream.close()
  if (source !== stream || !isWanted) return
  setLosses(1)
  document.addEventListener('visibilitychange', reconnectWhenVisible)
}

function reconnectWhenVisible(): void {
  if (document.visibilityState !== 'visible') return
  document.removeEventListener('visibilitychange', reconnectWhenVisible)
  if (isWanted) connect()
}

/** Opens the one stream of this tab; opening it twice changes nothing. */
export function openLive(): void {
  if (isWanted) return
  isWanted = true
  connect()
}

/** Closes the stream, for good until it is opened again. */
export function closeLive(): void {
  isWanted = false
  setLosses(0)
  clearTimeout(retry)
  document.removeEventListener('visibilitychange', reconnectWhenVisible)
  source?.close()
  source = undefined
}

/** Hears one topic from outside of a component; returns the way to stop. */
export function listenLive(topic: LiveTopic, listener: Listener): () => void {
  const set = listeners.get(topic) ?? new Set()
  listeners.set(topic, set.add(listener))
  return () => {
    set.delete(listener)
    if (set.size === 0 && listeners.get(topic) === set) listeners.delete(topic)
  }
}

function watchLosses(watcher: () => void): () => void {
  watchers.add(watcher)
  // A machine that leaves its network knows it at once; the stream would stay silent for minutes.
  for (const change of ['online', 'offline']) window.addEventListener(change, watcher)
  return () => {
    watchers.delete(watcher)
    for (const change of ['online', 'offline']) window.removeEventListener(change, watcher)
  }
}

/** Has the server been out of reach for so long that what is shown may be out of date? */
export const useConnectionLost = (): boolean =>
  useSyncExternalStore(watchLosses, () => losses >= LOSSES_BEFORE_WARNING || !navigator.onLine)

/** Hears one topic while the component is shown. */
export function useLive(topic: LiveTopic, handler: Listener): void {
  const hear = useEffectEvent(handler)
  useEffect(() => listenLive(topic, (message) => hear(message)), [topic])
}

/** Reads the given queries again whenever the topic changes. */
export function useLiveRefresh(topic: LiveTopic, ...keys: QueryKey[]): void {
  const cache = useQueryClient()
  useLive(topic, () => {
    for (const queryKey of keys) void cache.invalidateQueries({ queryKey })
  })
}
