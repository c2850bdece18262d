import { listBackups, readBackup, startBackup, verifyBackup } from '@limber/contract/backups/backup.ts'
import { act, screen, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { closeLive, openLive } from '#platform/live/live.ts'
import { FakeEventSource, FakeServer, makeSession, Refusal, renderScreen } from '#platform/testing/testing.tsx'
import { backupsArea } from './area.ts'
import { makeBackup, makeDetail, makeList } from './backup.testing.ts'
import { progressOf } from './backup-labels.ts'
import Backups from './backups.screen.tsx'

const path = '/worker/tech/backups'
const begin = () => screen.findByRole<HTMLButtonElement>('button', { name: 'Back up now' })
const copying = makeBackup({
  state: 'copying',
  file: null,
  progress: { stage: 'copying', done: 61, total: 107, rows: 50, rowsExpected: 200 },
})

describe('backup list', () => {
  it('shows time, status, size, duration, contents and retention', async () => {
    const failed = makeBackup({
      id: 11,
      state: 'failed',
      size: null,
      tables: null,
      rows: null,
      file: null,
      keptAs: [],
      error: 'The backup storage is full.',
    })
    const server = new FakeServer().answer(listBackups, makeList([makeBackup(), failed]))
    await renderScreen(<Backups />, { server, path })
    const row = (await screen.findByText('107 tables, 196,983 rows')).closest('tr') as HTMLElement
    for (const text of ['Verified', 'Nightly', '7.5 MB', '9.0 s', 'Daily'])
      expect(within(row).getByText(text)).toBeTruthy()
    expect(screen.getByText('The backup storage is full.')).toBeTruthy()
    expect(screen.getByText(/The newest backup of each of the last 14 days, 8 weeks and 12 months/)).toBeTruthy()
    expect(
      screen.getByText('npm run limber -- restore /var/backups/limber/limber-20261114T113000Z-abc.backup'),
    ).toBeTruthy()
    expect(screen.queryByRole('alert')).toBeNull()
  })
  it('shows an empty state when there are no backups', async () => {
    const server = new FakeServer().answer(
      listBackups,
      makeList([], { alarm: { isAlarm: false, newestAt: null, text: '' } }),
    )
    await renderScreen(<Backups />, { server, path })
    expect(await screen.findByText('No backups yet')).toBeTruthy()
    expect(screen.getByText('none yet')).toBeTruthy()
  })
  it('shows the alarm and a paused nightly backup', async () => {
    const server = new FakeServer().answer(
      listBackups,
      makeList([], {
        alarm: { isAlarm: true, newestAt: null, text: 'The newest verified backup is 3 days old.' },
        nightly: { nextRun: null, isEnabled: false, pausedReason: 'The disk is being moved' },
      }),
    )
    await renderScreen(<Backups />, { server, path })
    expect((await screen.findByRole('alert')).textContent).toBe('The newest verified backup is 3 days old.')
    expect(screen.getByText('The nightly backup is paused: The disk is being moved')).toBeTruthy()
  })
  it('disables Back up now without a key', async () => {
    const server = new FakeServer().answer(listBackups, makeList([], { keyId: null }))
    await renderScreen(<Backups />, { server, path })
    expect(await screen.findByText('Not set. Set BACKUP_KEY and restart the server.')).toBeTruthy()
    expect((await begin()).disabled).toBe(true)
  })
  it('shows a failed load and retries', async () => {
    const server = new FakeServer().answer(listBackups, new Refusal(503, 'unavailable', 'The database is down.'))
    const { user } = await renderScreen(<Backups />, { server, path })
    expect(await screen.findByText("Couldn't load backups", undefined, { timeout: 5_000 })).toBeTruthy()
    server.answer(listBackups, makeList())
    await user.click(screen.getByRole('button', { name: /Retry/ }))
    expect(await screen.findByText('107 tables, 196,983 rows')).toBeTruthy()
  })
})

describe('Back up now', () => {
  it('starts a backup and shows live progress', async () => {
    vi.stubGlobal('EventSource', FakeEventSource)
    openLive()
    const current = { list: makeList() }
    const server = new FakeServer()
      .answer(listBackups, () => current.list)
      .answer(startBackup, () => {
        current.list = makeList([copying], { underWay: { ...copying, state: 'waiting', progress: null } })
        return copying
      })
    const { user } = await renderScreen(<Backups />, { server, path })
    await screen.findByText('107 tables, 196,983 rows')
    await user.click(await begin())
    expect(await screen.findByText('Backup started.')).toBeTruthy()
    expect(await screen.findByRole('progressbar', { name: 'Waiting to start' })).toBeTruthy()
    expect((await begin()).disabled).toBe(true)
    current.list = makeList([copying], { underWay: copying })
    act(() => FakeEventSource.last.onmessage?.({ data: JSON.stringify({ topic: 'backups', id: 12 }) }))
    const bar = await screen.findByRole('progressbar', { name: 'Copying tables' })
    expect(bar.getAttribute('aria-valuenow')).toBe('25')
    expect(screen.getByText('61 of 107 tables, 50 rows')).toBeTruthy()
    closeLive()
  })
  it('shows the refusal of the server', async () => {
    const server = new FakeServer()
      .answer(listBackups, makeList())
      .answer(
        startBackup,
        new Refusal(409, 'under_way', 'A backup or verification is in progress. Wait for it to finish.'),
      )
    const { user } = await renderScreen(<Backups />, { server, path })
    await screen.findByText('107 tables, 196,983 rows')
    await user.click(await begin())
    expect(await screen.findByText('A backup or verification is in progress. Wait for it to finish.')).toBeTruthy()
  })
})

describe('backup details', () => {
  it('opens from the list, stays in the URL, and starts a verification', async () => {
    const asked: string[] = []
    const server = new FakeServer()
      .answer(listBackups, makeList())
      .answer(readBackup, makeDetail())
      .answer(verifyBackup, ({ params }) => {
        asked.push(String(params.id))
        return makeBackup({ state: 'waiting' })
      })
    const { user, router } = await renderScreen(<Backups />, { server, path })
    await user.click(await screen.findByText('107 tables, 196,983 rows'))
    const dialog = await screen.findByRole('dialog', { name: 'Backup' })
    expect(router.state.location.href).toBe(`${path}?backup=12`)
    expect(await within(dialog).findByText('workers')).toBeTruthy()
    expect(within(dialog).getByText('Not shown: 1 table without rows')).toBeTruthy()
    await user.click(within(dialog).getByRole('button', { name: 'Verify again' }))
    expect(await screen.findByText('Verification started.')).toBeTruthy()
    expect(asked).toEqual(['12'])
  })
})

it('counts tables during verification, and files while they are copied', () => {
  const part = { done: 3, total: 9, rows: 0, rowsExpected: 0 }
  expect(progressOf({ ...part, stage: 'checking' })).toMatchObject({ done: 3, total: 9, counts: '3 of 9 tables' })
  expect(progressOf({ ...part, stage: 'files', total: 0 })).toMatchObject({ counts: '3 files' })
})

it('appears in Today while the alarm is on', async () => {
  const alarm = { isAlarm: true, newestAt: null, text: 'There is no verified backup.' }
  const server = new FakeServer().answer(listBackups, makeList([], { alarm }))
  server.install()
  const find = () => backupsArea.todaySources?.[0]?.find(new AbortController().signal, makeSession([]))
  expect(await find()).toMatchObject([
    { title: 'Backups need attention', detail: 'There is no verified backup.', path },
  ])
  server.answer(listBackups, makeList())
  expect(await find()).toEqual([])
})
