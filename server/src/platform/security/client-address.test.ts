import { verifyCredentials } from '@limber/contract/access/sign-in/sign-in.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../testing/testing.ts'
import { callerNetwork, normalizeIp } from './client-address.ts'

describe('an IP address', () => {
  it.each([
    ['203.0.113.9', '203.0.113.9'],
    ['203.0.113.9:5678', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['::FFFF:cb00:7109', '203.0.113.9'],
    ['[::ffff:203.0.113.9]:443', '203.0.113.9'],
    ['[2001:db8::1]:80', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['::1', '::1'],
    ['unknown', 'unknown'],
    ['', 'unknown'],
    ['1.2.3.4, 5.6.7.8', 'unknown'],
    ['[::1', 'unknown'],
    ['300.1.1.1', 'unknown'],
  ])('%s is %s', (given, plain) => expect(normalizeIp(given)).toBe(plain))

  it('of a caller who is gone is unknown', () => expect(normalizeIp(undefined)).toBe('unknown'))

  it.each([
    ['203.0.113.9', '203.0.113.9'],
    ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
    ['2001:db8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['unknown', 'unknown'],
  ])('%s is limited as %s', (address, network) => expect(callerNetwork(address)).toBe(network))
})

describe('a rate limit by address', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer({ env: { TRUST_PROXY: '1' } })
  })
  afterAll(() => server.stop())

  let serial = 0
  const tries = verifyCredentials.limit.times
  const from = (address: string) =>
    server
      .anonymous()
      .send(
        verifyCredentials,
        { body: { email: `nobody-${++serial}@example.com` } },
        { headers: { 'x-forwarded-for': address } },
      )
      .then(({ status }) => status)

  it.each([
    ['the ports of one address', (n: number) => `198.51.100.7:${40_000 + n}`, '198.51.100.7', '198.51.100.8'],
    [
      'both forms of one address',
      (n: number) => (n % 2 ? '::ffff:198.51.100.20' : '198.51.100.20'),
      '[::ffff:198.51.100.20]:99',
      '198.51.100.21',
    ],
    [
      'the addresses of a /64',
      (n: number) => `2001:db8:5:6::${n.toString(16)}`,
      '[2001:db8:5:6:a:b:c:d]:443',
      '2001:db8:5:7::1',
    ],
  ])('counts %s together', async (_, each, last, other) => {
    for (let n = 1; n <= tries; n++) expect(await from(each(n))).toBe(200)
    expect(await from(last)).toBe(429)
    expect(await from(other)).toBe(200)
  })
})
