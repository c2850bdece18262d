import { BlockList, isIP } from 'node:net'
import { groupsOf, normalizeIp } from '#platform/security/client-address.ts'

/** IPv4 networks that are not on the internet: this machine, private ones, shared ones, metadata services. */
const internal4 = new BlockList()
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  internal4.addSubnet(network, prefix, 'ipv4')

/** All of the IPv6 internet. Everything else is loopback, link-local, unique-local, multicast or reserved. */
const public6 = new BlockList()
public6.addSubnet('2000::', 3, 'ipv6')
/** Parts of it that lead to an IPv4 address through a tunnel, or to none. */
const tunnels6 = new BlockList()
tunnels6.addSubnet('2001::', 23, 'ipv6')
tunnels6.addSubnet('2002::', 16, 'ipv6')
tunnels6.addSubnet('3fff::', 20, 'ipv6')
const nat64 = new BlockList()
nat64.addSubnet('64:ff9b::', 96, 'ipv6')

/** Whether an IP address is one that webhooks may not be sent to. A text that is no address counts as one. */
export function isInternalAddress(given: string): boolean {
  const address = normalizeIp(given)
  if (isIP(address) === 4) return internal4.check(address, 'ipv4')
  if (isIP(address) !== 6) return true
  if (nat64.check(address, 'ipv6')) return internal4.check(embeddedIpv4(address), 'ipv4')
  return !public6.check(address, 'ipv6') || tunnels6.check(address, 'ipv6')
}

/** The last 32 bits of an IPv6 address as IPv4. */
const embeddedIpv4 = (address: string) =>
  groupsOf(address)
    .slice(6)
    .flatMap((group) => [group >> 8, group & 255])
    .join('.')

/** The literal IP address in a URL, if its host is one. URLs normalize other ways to write it, such as 0x7f.1. */
export function literalAddress(url: URL): string | undefined {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  return isIP(host) === 0 ? undefined : host
}

/** Why a URL is refused when an endpoint is saved; undefined for a good one. Names are checked when they are resolved. */
export function urlProblem(
  text: string,
  { allowPrivate, needsHttps }: { allowPrivate: boolean; needsHttps: boolean },
): 'https_required' | 'address_not_allowed' | undefined {
  const url = new URL(text)
  if (needsHttps && url.protocol !== 'https:') return 'https_required'
  const address = literalAddress(url)
  return address !== undefined && !allowPrivate && isInternalAddress(address) ? 'address_not_allowed' : undefined
}
