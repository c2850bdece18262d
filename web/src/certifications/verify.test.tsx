import { type Verification, verifyCertification } from '@limber/contract/certifications/verification.ts'
import { screen } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { FakeServer, Refusal, renderScreen } from '#platform/testing/testing.tsx'
import Verify from './verify.screen.tsx'

const verification = (over: Partial<Verification> = {}): Verification => ({
  shortId: 'abcdefgh23456789',
  company: { name: 'Coastline Stretch', logo: null },
  holder: 'Maya C.',
  certificationName: 'Level 1',
  description: 'Assisted stretching.',
  instructor: 'Ines Park',
  dateIssued: '2026-03-02',
  validUntil: '2028-03-02',
  status: 'valid',
  revokedOn: null,
  verificationUrl: 'https://limber.example.com/verify/abcdefgh23456789',
  qrCodeDataURL: 'data:image/png;base64,iVBORw0KGgo=',
  ...over,
})

beforeEach(() => history.replaceState(null, '', '/verify/abcdefgh23456789'))
const show = (answer: Verification | Refusal) => {
  const server = new FakeServer().answer(verifyCertification, answer)
  return renderScreen(<Verify />, { server, session: null })
}

describe('public page', () => {
  it('shows holder, type, dates and instructor, and offers the credential', async () => {
    await show(verification())
    expect(await screen.findByRole('heading', { name: 'Level 1' })).toBeTruthy()
    const text = document.body.textContent ?? ''
    for (const part of ['Valid', 'Maya C.', 'Mar 2, 2026', 'Mar 2, 2028', 'Ines Park', 'abcd-efgh-2345-6789'])
      expect(text).toContain(part)
    expect(screen.getByRole('img', { name: /QR code/ })).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Print' })).toBeTruthy()
    const link = screen.getByRole<HTMLAnchorElement>('link', { name: 'Download signed credential' })
    expect(link.getAttribute('href')).toBe('/api/verify/abcdefgh23456789/credential')
  })
  it.each([
    [verification({ status: 'expired', validUntil: '2026-01-01' }), 'Expired', 'Expired on'],
    [verification({ status: 'revoked', revokedOn: '2026-11-01' }), 'Revoked', 'Revoked on'],
    [verification({ validUntil: null }), 'Valid', 'No expiration'],
  ])('shows the status and its date (%#)', async (answer, title, label) => {
    await show(answer)
    expect(await screen.findByText(title, { selector: 'p' })).toBeTruthy()
    expect(screen.getByText(label)).toBeTruthy()
    expect(screen.queryByRole('link', { name: 'Download signed credential' }) === null).toBe(answer.status !== 'valid')
  })
  it('tells an unknown id apart from too many requests', async () => {
    const { unmount } = await show(new Refusal(404, 'unknown', 'No certification has this ID.'))
    expect(await screen.findByRole('heading', { name: 'Certification not found' })).toBeTruthy()
    expect(screen.getByText('No certification has this ID.')).toBeTruthy()
    unmount()
    await show(new Refusal(429, 'too_many', 'Too many requests. Wait a moment and try again.'))
    expect(await screen.findByText("Couldn't verify this certification")).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Retry' })).toBeTruthy()
  })
})
