import { unsubscribe } from '@limber/contract/support/notification.ts'
import { comeIn, expect, Person, test } from './journey.ts'
import { startLimber } from './limber.ts'
import { openMailbox } from './mailbox.ts'

test('a partner is written to, leaves by one click, and is not written to again', async ({ browser }) => {
  // Room for a machine that is busy with other things.
  test.setTimeout(360_000)
  const mailbox = await openMailbox()
  const limber = await startLimber('sample', mailbox)
  const clerk = await Person.arrive(browser)
  const { page } = clerk
  await comeIn(page, limber)
  await page.goto(`${limber.url}/growth/business`)
  const contacted = page.getByRole('table', { name: 'Contacted' })
  const dialog = page.getByRole('dialog', { name: 'Send Outreach Email' })
  const toast = (words: RegExp) => page.getByRole('region', { name: 'Messages' }).getByText(words)
  const write = async (subject: string) => {
    await contacted.getByRole('button', { name: 'Email Cajon Rail Works' }).click()
    await dialog.getByLabel('Subject').fill(subject)
    await dialog.getByRole('button', { name: 'Send' }).click()
  }
  const address = 'wellness@cajon-rail.example.com'

  await test.step('the mail arrives, and the contact is counted', async () => {
    await expect(contacted.getByRole('row', { name: /Cajon Rail Works.* 1 / })).toBeVisible()
    await clerk.looksRight()
    await write('A pilot at the rail works')
    await expect(toast(/The mail goes to 1 person/)).toBeVisible()
    await expect(contacted.getByRole('row', { name: /Cajon Rail Works.* 2 / })).toBeVisible()
  })

  const mail = await mailbox.find(address, 'A pilot at the rail works')
  await test.step('it can be left by one click', async () => {
    expect(mail.header('List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click')
    const link = /<(http[^>]+)>/.exec(mail.header('List-Unsubscribe'))?.[1] ?? ''
    expect(link).toContain(unsubscribe.path.replace(':token', ''))
    const left = await fetch(link, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
    })
    expect(left.status).toBe(200)
  })

  await test.step('the next mail is not sent, and the form stays', async () => {
    clerk.expects(422, '/api/marketing/partner/send-email')
    await write('Once more')
    await expect(dialog.getByText(/has opted out/)).toBeVisible()
    await expect(dialog.getByLabel('Subject')).toHaveValue('Once more')
    await clerk.looksRight()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    expect(mailbox.count(address, 'Once more')).toBe(0)
  })

  await clerk.leave()
  await limber.stop()
  await mailbox.close()
})
