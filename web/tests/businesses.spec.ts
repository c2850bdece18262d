import { companyDay } from '@limber/contract/kit/company.ts'
import type { Locator } from '@playwright/test'
import { expect, openSample, Person, test } from './journey.ts'
import { startLimber } from './limber.ts'
import { openMailbox } from './mailbox.ts'

/** A time some days ahead, in the format of a date-time field. Browser and business share a time zone. */
function daysAhead(days: number, time: string): string {
  const at = new Date(Date.now() + days * 86_400_000)
  return `${companyDay(at)}T${time}`
}

/** Selects a free stretcher and the next offered start on a later day. */
async function chooseFree(dialog: Locator, days: number) {
  const [, second] = [
    dialog.getByRole('radio').first(),
    dialog.getByRole('button', { name: /^\w{3}, \w{3} \d+(, \d{4})?, \d{1,2}:\d\d [AP]M$/ }),
  ]
  await dialog.getByLabel('Start time').fill(daysAhead(days, '08:00'))
  await expect(second.first()).toBeVisible()
  await second.first().click()
}

test('a business from its creation to a canceled session', async ({ browser }) => {
  const mailbox = await openMailbox()
  const limber = await startLimber('sample', mailbox)
  const clerk = await Person.open(browser)
  const { page } = clerk
  await openSample(page, limber)
  const toast = (text: string) => page.getByRole('region', { name: 'Messages' }).getByText(text, { exact: true })

  await test.step('adds it in a dialog', async () => {
    await page.goto(`${limber.url}/worker/managing/businesses`)
    await expect(page.getByRole('heading', { name: 'Business administration' })).toBeVisible()
    await clerk.checkScreen()
    await page.getByRole('button', { name: 'New business' }).click()
    const form = page.getByRole('dialog', { name: 'Add New business' })
    await form.getByLabel('Name').fill('Lake Perris Rowing')
    await form.getByLabel('Custom path').fill('API')
    await form.getByLabel('Admin email').fill('Coach@rowing.example')
    await form.getByLabel('Zone', { exact: true }).selectOption({ label: 'Riverside' })
    clerk.expects(422, '/api/businesses/create')
    await form.getByRole('button', { name: 'Create' }).click()
    await expect(form.getByText(/lowercase letters/)).toBeVisible()
    await form.getByLabel('Custom path').fill('lake-perris')
    await form.getByRole('button', { name: 'Create' }).click()
    await expect(page.getByRole('heading', { name: 'Lake Perris Rowing', level: 2 })).toBeVisible()
    await clerk.checkScreen()
  })

  await test.step('imports addresses from a file', async () => {
    const card = page.getByRole('region', { name: 'Allowed email list' })
    const rows = Array.from({ length: 300 }, (_, n) => `Rower ${n},ROWER${String(n).padStart(3, '0')}@rowing.example`)
    const buffer = Buffer.from(['Name,Mail', ...rows, rows[0]].join('\r\n'))
    await card.getByLabel('Import addresses').setInputFiles({ name: 'rowers.csv', mimeType: 'text/csv', buffer })
    await expect(
      card.getByText(/300 new addresses in rowers\.csv, 1 twice in the file, no address in line 1/),
    ).toBeVisible()
    await card.getByRole('button', { name: 'Upload' }).click()
    await expect(toast('Emails uploaded.')).toBeVisible()
    await card.getByRole('textbox', { name: 'Search emails' }).fill('rower29')
    await expect(card.getByText('rower299@rowing.example')).toBeVisible()
    await expect(card.getByText('rower001@rowing.example')).toHaveCount(0)
    await card.getByRole('button', { name: 'Edit rower290@rowing.example' }).click()
    await card.getByLabel('Edit address').fill('captain@rowing.example')
    await card.getByRole('button', { name: 'Save' }).click()
    await expect(toast('Saved.')).toBeVisible()
    await clerk.checkScreen()
  })

  const blocks = page.getByRole('region', { name: 'Prepaid blocks' })
  await test.step('grants and schedules a block, and emails both sides', async () => {
    await blocks.getByLabel('Block hours').selectOption('3')
    await blocks.getByLabel('Internal label').fill('Boathouse')
    await blocks.getByRole('button', { name: 'Create Block' }).click()
    await expect(toast('Block created.')).toBeVisible()
    await blocks.getByRole('button', { name: 'Activate / schedule' }).click()
    const dialog = page.getByRole('dialog', { name: 'Schedule session' })
    await chooseFree(dialog, 30)
    await clerk.checkScreen()
    await dialog.getByRole('button', { name: 'Schedule' }).click()
    await expect(toast('Session scheduled!')).toBeVisible()
    await expect(blocks.getByText(/ 0 of 12 slots/)).toBeVisible()
    await mailbox.find('coach@rowing.example', 'On-site session scheduled: Lake Perris Rowing')
    await expect(page.getByText('3 h scheduled')).toBeVisible()
  })

  await test.step('moves the session', async () => {
    await blocks.getByRole('button', { name: 'View Session' }).click()
    const dialog = page.getByRole('dialog', { name: 'Scheduled Session' })
    await expect(dialog.getByRole('button', { name: 'Reschedule' })).toBeDisabled()
    await chooseFree(dialog, 33)
    await clerk.checkScreen()
    await dialog.getByRole('button', { name: 'Reschedule' }).click()
    await expect(toast('Session rescheduled.')).toBeVisible()
    await mailbox.find('coach@rowing.example', 'On-site session moved')
  })

  await test.step('assigns another stretcher', async () => {
    const dialog = page.getByRole('dialog', { name: 'Scheduled Session' })
    const other = dialog.getByRole('radio', { checked: false, disabled: false }).first()
    await other.check()
    await dialog.getByRole('checkbox', { name: 'coach@rowing.example' }).uncheck()
    await dialog.getByRole('button', { name: 'Change Stretcher' }).click()
    await expect(toast('Stretcher updated.')).toBeVisible()
    expect(mailbox.count('coach@rowing.example', 'another stretcher')).toBe(0)
  })

  await test.step('cancels it, and the block can be scheduled again', async () => {
    const dialog = page.getByRole('dialog', { name: 'Scheduled Session' })
    await dialog.getByRole('button', { name: 'Cancel session' }).click()
    const question = page.getByRole('dialog', { name: 'Cancel this session?' })
    await question.getByLabel('Reason').fill('The lake is closed')
    await clerk.checkScreen()
    await question.getByRole('button', { name: 'Cancel session' }).click()
    await expect(toast('Session canceled.')).toBeVisible()
    await expect(blocks.getByRole('button', { name: 'Activate / schedule' })).toBeVisible()
    await page.getByRole('button', { name: 'Ledger' }).click()
    const ledger = page.getByRole('dialog', { name: 'Prepaid hours' })
    await expect(ledger.getByText('The lake is closed')).toBeVisible()
    await clerk.checkScreen()
    await ledger.getByRole('button', { name: 'Close', exact: true }).last().click()
  })

  await test.step('a business with a past session is archived, not deleted', async () => {
    clerk.expects(409, '/api/businesses/delete')
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    const question = page.getByRole('alertdialog', { name: 'Delete this business?' })
    await question.getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByText(/This business has 1 canceled session\./)).toBeVisible()
    await page.getByRole('region', { name: 'Messages' }).getByRole('button', { name: 'Archive' }).click()
    await expect(page.getByText('This business is archived', { exact: false }).first()).toBeVisible()
  })

  await test.step('zones show their area', async () => {
    await page.goto(`${limber.url}/worker/managing/zones`)
    await page
      .getByRole('region', { name: 'Zones' })
      .getByRole('link', { name: /^Riverside/ })
      .click()
    await expect(page.getByRole('img', { name: /The area of the zone/ })).toBeVisible()
    await clerk.checkScreen()
    clerk.expects(409, '/api/zones/delete')
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByText(/This zone has/)).toBeVisible()
  })
  await clerk.leave()
  await limber.stop()
  await mailbox.close()
})
