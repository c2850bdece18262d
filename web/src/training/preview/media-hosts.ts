import { hostOf } from '@limber/contract/training/values.ts'
import { useSyncExternalStore } from 'react'

let hosts: readonly string[] = []
const watchers = new Set<() => void>()

/** Notes the hosts whose media may be shown beside our own files; the server names them with the courses. */
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
