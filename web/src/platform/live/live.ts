import type { LiveTopic } from '@limber/contract/kit/live.ts'
import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'

/** Says which topic changed, and often which record. `missed` follows a reconnect: anything may have changed. */
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

// A restarting server is back before the third attempt.
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
    // The server closes the stream when the session ends, so check the session.
    notify({ topic: 'session' })
    // Backoff with jitter, so that not all tabs reconnect to a restarted server at once.
    const wait = Math.min(1_000 * 2 ** (losses - 1), MAX_RETRY_DELAY) * (0.75 + Math.random() / 2)
    retry = setTimeout(connect, wait)
  }
}

/** The server closed the oldest of too many streams. Reconnecting now would displace another tab, so wait. */
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

/** Opens the tab's one stream. Idempotent. */
export function openLive(): void {
  if (isWanted) return
  isWanted = true
  connect()
}

/** Closes the stream until `openLive` is called again. */
export function closeLive(): void {
  isWanted = false
  setLosses(0)
  clearTimeout(retry)
  document.removeEventListener('visibilitychange', reconnectWhenVisible)
  source?.close()
  source = undefined
}

/** Listens to one topic outside of a component. Returns a function that unsubscribes. */
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
  // The browser notices a lost network at once; the stream would stay silent for minutes.
  for (const change of ['online', 'offline']) window.addEventListener(change, watcher)
  return () => {
    watchers.delete(watcher)
    for (const change of ['online', 'offline']) window.removeEventListener(change, watcher)
  }
}

/** True when the connection has been lost for so long that the page may be out of date. */
export const useConnectionLost = (): boolean =>
  useSyncExternalStore(watchLosses, () => losses >= LOSSES_BEFORE_WARNING || !navigator.onLine)

/** Listens to one topic while the component is mounted. */
export function useLive(topic: LiveTopic, handler: Listener): void {
  const hear = useEffectEvent(handler)
  useEffect(() => listenLive(topic, (message) => hear(message)), [topic])
}

/** Refetches the given queries whenever the topic changes. */
export function useLiveRefresh(topic: LiveTopic, ...keys: QueryKey[]): void {
  const cache = useQueryClient()
  useLive(topic, () => {
    for (const queryKey of keys) void cache.invalidateQueries({ queryKey })
  })
}
