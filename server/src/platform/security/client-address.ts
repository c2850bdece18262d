import { isIP } from 'node:net'

/** The eight groups of an IPv6 address as numbers. */
export function groupsOf(address: string): number[] {
  // URL normalizes every form: lower case, without an IPv4 part.
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const read = (part: string) => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16)))
  const [first, last] = [read(head), read(tail ?? '')]
  return [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last]
}

const MAPPED = '::ffff:'

/**
 * Normalizes an IP address: no port, brackets or zone; IPv4-mapped addresses become IPv4. A caller who is already gone
 * has none.
 */
export function normalizeIp(given: string | undefined): string {
  // Nearly all addresses come like this.
  const plain = given?.startsWith(MAPPED) ? given.slice(MAPPED.length) : (given ?? '')
  if (isIP(plain) === 4) return plain
  const text = (given ?? '').trim()
  const bare = /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text
  const address = bare.replace(/%.*$/s, '')
  const kind = isIP(address)
  if (kind !== 6) return kind === 4 ? address : 'unknown'
  const groups = groupsOf(address)
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
  if (!isMapped) return new URL(`http://[${address}]`).hostname.slice(1, -1)
  return groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 255])
    .join('.')
}

/** The unit for rate limits: an IPv4 address, or the /64 network that an IPv6 subscriber controls. */
export function callerNetwork(address: string): string {
  if (isIP(address) !== 6) return address
  const network = groupsOf(address).slice(0, 4)
  return `${network.map((group) => group.toString(16)).join(':')}::/64`
}
