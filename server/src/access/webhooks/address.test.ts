import { describe, expect, it } from 'vitest'
import { isInternalAddress, urlProblem } from './address.ts'
import { internalUrls } from './internal-urls.testing.ts'

const internal = `0.0.0.0 0.255.1.1 10.0.0.1 10.255.255.255 100.64.0.1 100.127.255.255 127.0.0.1 127.255.255.254
  169.254.0.1 169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.1 192.0.0.170 192.88.99.1 192.168.0.1 192.168.255.255
  198.18.0.1 198.19.255.255 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255
  :: ::1 ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:10.0.0.1 ::ffff:169.254.169.254 ::ffff:a9fe:a9fe 0:0:0:0:0:ffff:7f00:1
  ::127.0.0.1 ::7f00:1 64:ff9b::127.0.0.1 64:ff9b::10.0.0.1 64:ff9b::a9fe:a9fe 64:ff9b:1::1 100::1
  2001::1 2001:0:4136:e378:8000:63bf:3fff:fdd2 2002:7f00:1::1 2002:a00:1:: fc00::1 fd00::1 fd00:ec2::254 fdff::1
  fe80::1 fe80::1%eth0 febf::1 fec0::1 ff02::1 ff0e::1 3fff::1 [::1] nothing`
  .split(/\s+/)
  .filter(Boolean)

const reachable = `1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.1 100.63.255.255 100.128.0.1 126.255.255.255 128.0.0.1
  169.253.255.255 169.255.0.1 172.15.255.255 172.32.0.1 192.0.1.1 192.167.255.255 192.169.0.1 198.17.255.255 198.20.0.1
  203.0.113.7 223.255.255.255 2606:4700:4700::1111 2a00:1450:4001::1 2001:4860:4860::8888 ::ffff:8.8.8.8 64:ff9b::808:808`
  .split(/\s+/)
  .filter(Boolean)

describe('an address', () => {
  it.each(internal)('%s is internal', (address) => expect(isInternalAddress(address)).toBe(true))
  it.each(reachable)('%s is on the internet', (address) => expect(isInternalAddress(address)).toBe(false))
})

it('is tried in many ways', () => {
  expect(new Set(internalUrls).size).toBe(internalUrls.length)
  expect(internalUrls.length).toBeGreaterThanOrEqual(80)
})

describe('a URL', () => {
  const strict = { allowPrivate: false, needsHttps: true }
  it.each(internalUrls)('%s is refused', (url) => expect(urlProblem(url, strict)).toBe('address_not_allowed'))
  it.each(internalUrls)('%s is accepted where private addresses are', (url) =>
    expect(urlProblem(url, { ...strict, allowPrivate: true })).toBeUndefined(),
  )
  it.each(['https://example.com/hook', 'https://localhost/', 'https://8.8.8.8/', 'https://[2606:4700:4700::1111]/'])(
    '%s is accepted: names are checked when they are resolved',
    (url) => expect(urlProblem(url, strict)).toBeUndefined(),
  )
  it('needs https outside of development', () => {
    expect(urlProblem('http://example.com/', strict)).toBe('https_required')
    expect(urlProblem('http://example.com/', { ...strict, needsHttps: false })).toBeUndefined()
  })
})
