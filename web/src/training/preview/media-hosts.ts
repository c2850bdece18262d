import { hostOf } from '@limber/contract/training/values.ts'
import { useSyncExternalStore } from 'react'

let hosts: readonly string[] = []
const watchers = new Set<() => void>()

/** Sets the hosts whose media may be shown besides uploaded files. The server sends them with the courses. */
export function setMediaHosts(next: readonly string[]): void {
  if (next.join() === hosts.join()) return
  hosts = next.filter((host) => hostOf(`https://${host}`) === host)
  for (const watcher of watchers) watcher()
}

export const isMediaHost = (address: string): boolean => hosts.includes(hostOf(address) ?? '')

const watch = (watcher: () => void) => {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

export const useMediaHosts = (): readonly string[] => useSyncExternalStore(watch, () => hosts)
