import { findDovecot, openDovecot } from '../../server/src/support/mailboxes/dovecot.testing.ts'
import { openImapServer } from '../../server/src/support/mailboxes/imap.testing.ts'
import { openMailExchange } from '../../server/src/support/mailboxes/mail-exchange.testing.ts'
import { onboard, signIn } from './access-steps.ts'
import { expect, Person, test } from './journey.ts'
import { startLimber } from './limber.ts'
import { openMailbox } from './mailbox.ts'
import { Authenticator } from './proofs.ts'

const CUSTOMER = 'camille@example.com'
const AT_WORK = 'camille.okafor@work.example.com'
const SUBJECT = 'My mat is broken'
const ELSEWHERE = 'https://pictures.example.com'

/** A 40 x 20 PNG. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAACgAAAAUCAIAAABwJOjsAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAL0lEQVRIiWPgL8sbEMQwanHZaFDzjyauvNHsVDZagPCPFpl5o5VE2Wi1mDf8q0UA7pD3f9xMPasAAAAASUVORK5CYII=',
  'base64',
)
const PDF = Buffer.from(
  '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n',
)

/** `npm run test:long` uses Dovecot, if it is installed. */
const openInbox = async () =>
  process.env.LIMBER_ROUNDS === 'many' && (await findDovecot()) ? openDovecot() : openImapServer()

test('a customer and an agent write to each other by email, with files, until the ticket is rated', async ({
  browser,
}) => {
  const inbox = await openInbox()
  const exchange = await openMailExchange(inbox)
  const company = await openMailbox()
  const limber = await startLimber('own', company)

  const enter = async (link: string, email: string): Promise<Person> => {
    const person = await Person.open(browser)
    await Authenticator.attach(person.page)
    const { app } = await onboard(person, link)
    await signIn(person, email, { app, limber, mailbox: company })
    return person
  }
  const owner = await enter(limber.link, 'owner@example.com')

  await test.step('the lead adds the mailbox, after a check of its servers', async () => {
    const { page } = owner
    await page.goto(`${limber.url}/support/mailboxes`)
    await page.getByRole('button', { name: 'Add mailbox' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add mailbox' })
    await dialog.getByLabel('Address').fill(inbox.login.user)
    await dialog.getByLabel('Sender name').fill('Coastline Support')
    await dialog.getByLabel('IMAP server').fill('127.0.0.1')
    await dialog.getByLabel('IMAP port').fill(String(inbox.port))
    await dialog.getByLabel('IMAP security').selectOption('none')
    await dialog.getByLabel('IMAP user').fill(inbox.login.user)
    await dialog.getByLabel('IMAP password').fill(inbox.login.password)
    await dialog.getByLabel('SMTP server').fill('127.0.0.1')
    await dialog.getByLabel('SMTP port').fill(String(exchange.port))
    await dialog.getByLabel('SMTP security').selectOption('none')
    await dialog.getByRole('button', { name: 'Check connection' }).click()
    await expect(dialog.getByText('Incoming: Limber can read this mailbox.')).toBeVisible()
    await expect(dialog.getByText('Replies: Limber can send through this server.')).toBeVisible()
    await owner.checkScreen()
    await dialog.getByRole('button', { name: 'Add mailbox' }).click()
    await expect(page.getByText('Connected', { exact: true })).toBeVisible()
    await owner.checkScreen()
  })

  await test.step('the lead turns on questions after closing', async () => {
    const { page } = owner
    await page.goto(`${limber.url}/support/promises`)
    const ask = page.getByRole('switch', { name: 'Ask customers after closing' })
    // The switch itself is hidden behind its picture.
    await ask.press('Space')
    await expect(page.getByText('Customers will be asked.')).toBeVisible()
    await expect(ask).toBeChecked()
    // A table that scrolls sideways is a group, so that the keyboard reaches it.
    for (const width of [768, 390]) {
      await page.setViewportSize({ width, height: 844 })
      await owner.checkScreen()
      await expect(page.getByRole('group', { name: 'First response' })).toHaveCount(0)
    }
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  const dana = await test.step('an agent opens an empty desk', async () => {
    const link = await limber.invite('dana.whitfield@example.com', 'Dana Whitfield', 'Support Agent')
    const person = await enter(link, 'dana.whitfield@example.com')
    await person.page.goto(`${limber.url}/support/tickets`)
    await expect(person.page.getByText('No tickets yet')).toBeVisible()
    person.expectsBlocked(ELSEWHERE)
    return person
  })
  const { page } = dana
  const list = page.getByRole('region', { name: 'Tickets' })
  const thread = page.getByRole('list', { name: 'Messages' })

  await test.step('an email with a picture is on the open desk, with the picture in its place', async () => {
    await exchange.send({
      from: `Camille Okafor <${CUSTOMER}>`,
      subject: SUBJECT,
      messageId: '<first@example.com>',
      html: `<p>Look at my mat:</p><p><img src="cid:mat@example.com" alt="the mat"></p><p>Camille</p><img src="${ELSEWHERE}/logo.png" alt="Camille's logo">`,
      attachments: [{ filename: 'mat.png', content: PICTURE, cid: 'mat@example.com' }],
    })
    await list.getByRole('link', { name: SUBJECT }).click()
    const picture = page.frameLocator('iframe').getByRole('img', { name: 'the mat' })
    await expect(picture).toBeVisible()
    expect(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(40)
    await dana.checkScreen()
  })

  await test.step('pictures from elsewhere are loaded only while they are allowed for the sender', async () => {
    const asked: string[] = []
    await page.route(`${ELSEWHERE}/**`, (route) => {
      asked.push(route.request().url())
      return route.fulfill({ contentType: 'image/png', body: PICTURE })
    })
    const logo = page.frameLocator('iframe').getByRole('img', { name: "Camille's logo" })
    // The frame loads again.
    await page.reload()
    await expect(page.frameLocator('iframe').getByAltText('the mat')).toHaveJSProperty('naturalWidth', 40)
    await expect(logo).toHaveJSProperty('naturalWidth', 0)
    expect(asked).toEqual([])
    await page.getByRole('button', { name: 'Load images of this sender' }).click()
    await expect(logo).toHaveJSProperty('naturalWidth', 40)
    expect(asked).toEqual([`${ELSEWHERE}/logo.png`])
    await dana.checkScreen()
    await page.getByRole('button', { name: 'Block images' }).click()
    await expect(page.getByRole('button', { name: 'Load images of this sender' })).toBeVisible()
    await expect(logo).toHaveJSProperty('naturalWidth', 0)
    expect(asked).toHaveLength(1)
  })

  let ours = ''
  await test.step('the agent answers with a PDF, which the customer gets in the same conversation', async () => {
    await page.locator('input[type=file]').setInputFiles({
      name: 'Return label.pdf',
      mimeType: 'application/pdf',
      buffer: PDF,
    })
    await expect(page.getByText('Return label.pdf')).toBeVisible()
    await expect(page.getByRole('progressbar', { name: 'Upload of Return label.pdf' })).toHaveCount(0)
    await page.getByPlaceholder('Type your response...').fill('Please send it back with this label.')
    await page.getByRole('button', { name: 'Send Response' }).click()
    await expect(thread.getByText('Please send it back with this label.')).toBeVisible()
    await expect.poll(() => exchange.letters.length).toBe(1)
    const { to, raw = '' } = exchange.letters[0] ?? {}
    expect(to).toBe(CUSTOMER)
    expect(raw).toMatch(/^From: "?Coastline Support"? <help@example\.com>/m)
    expect(raw).toMatch(/^In-Reply-To: <first@example\.com>/m)
    expect(raw.replaceAll('\r\n', '')).toContain(PDF.toString('base64'))
    expect(raw).toContain('Return label.pdf')
    ours = /^Message-ID: (<.+>)/im.exec(raw)?.[1] ?? ''
    expect(ours).not.toBe('')
    await dana.checkScreen()
  })

  await test.step('the PDF is shown without leaving the thread', async () => {
    await thread.getByRole('button', { name: 'Return label.pdf' }).click()
    const dialog = page.getByRole('dialog', { name: 'Return label.pdf' })
    await expect(dialog.getByAltText('Page 1 of 1')).toHaveJSProperty('complete', true)
    await expect(dialog.getByAltText('Page 1 of 1')).not.toHaveJSProperty('naturalWidth', 0)
    await expect(dialog.getByRole('link', { name: 'Download' })).toBeVisible()
    await dana.checkScreen()
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
  })

  await test.step('an answer from another address opens a ticket, which the agent merges', async () => {
    await exchange.send({
      from: `Camille Okafor <${AT_WORK}>`,
      subject: `Re: [#1] ${SUBJECT}`,
      inReplyTo: ours,
      references: `<first@example.com> ${ours}`,
      text: 'I sent it today.\n\nOn Tue, Nov 17, 2026 at 9:56 AM Coastline Support <help@example.com> wrote:\n\n> Please send it back with this label.',
    })
    await expect(list.getByRole('link', { name: SUBJECT })).toHaveCount(2)
    await page.goto(`${limber.url}/support/tickets?ticket=2`)
    await expect(thread.getByText('I sent it today.')).toBeVisible()
    await expect(thread.getByText('Quoted: 3 lines')).toBeVisible()
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Merge into another ticket…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Merge ticket #2' })
    await dialog.getByLabel('Into', { exact: true }).fill('mat')
    await dialog.getByRole('button', { name: `#1 · ${CUSTOMER}` }).click()
    dana.expects(422, '/api/support/tickets/2/merge')
    await dialog.getByRole('button', { name: 'Merge' }).click()
    await expect(dialog.getByText(`That ticket is from ${CUSTOMER}.`)).toBeVisible()
    await dana.checkScreen()
    await dialog.getByLabel('Both addresses belong to the same person').check()
    await dialog.getByRole('button', { name: 'Merge' }).click()
    await expect(page.getByText('Ticket #2 is now part of ticket #1.')).toBeVisible()
    await expect(thread.getByText('I sent it today.')).toBeVisible()
    await expect(thread.getByText('Please send it back with this label.').first()).toBeVisible()
  })

  await test.step('the next reply goes to the address that the customer last wrote from', async () => {
    await expect(page.getByText(`To ${AT_WORK}`)).toBeVisible()
    await page.getByPlaceholder('Type your response...').fill('It has arrived. A new mat is on its way.')
    await page.getByRole('button', { name: 'Send Response' }).click()
    await expect.poll(() => exchange.letters.length).toBe(2)
    expect(exchange.letters[1]?.to).toBe(AT_WORK)
  })

  const status = page.getByLabel('Status', { exact: true })
  await test.step('the ticket is closed, and the customer rates it through the signed link', async () => {
    await status.selectOption('closed')
    await expect(
      page.getByRole('region', { name: 'Filter by status' }).getByRole('button', { name: /Closed/ }),
    ).toContainText('1')
    await limber.closeEarlier()
    await owner.page.goto(`${limber.url}/worker/tech/automation`)
    const schedules = owner.page.getByRole('region', { name: 'Schedules' })
    await schedules.getByRole('link', { name: /Ask customers how their tickets were handled/ }).click()
    await owner.page.getByRole('button', { name: 'Run now' }).click()
    const asked = await company.find(AT_WORK, 'How did we do? [#1]')
    const customer = await Person.open(browser)
    await customer.page.goto(/http:\S+\/rating\/\S+choice=good/.exec(asked.text)?.[0] ?? '')
    await expect(customer.page.getByLabel('Good')).toBeChecked()
    await customer.page.getByLabel('Comment (optional)').fill('The new mat is great.')
    await customer.page.getByRole('button', { name: 'Send rating' }).click()
    await expect(customer.page.getByRole('heading', { name: 'Thank you' })).toBeVisible()
    await customer.leave()
    await expect(thread.getByText('rated this Good')).toBeVisible()
    await expect(thread.getByText('The new mat is great.')).toBeVisible()
    await dana.checkScreen()
  })

  await test.step('the ticket is reopened by the next email from that address', async () => {
    await exchange.send({
      from: `Camille Okafor <${AT_WORK}>`,
      subject: 'It is back again',
      inReplyTo: ours,
      text: 'The new one is broken too.',
    })
    await expect(thread.getByText('The new one is broken too.')).toBeVisible()
    await expect(status).toHaveValue('open')
    await dana.checkScreen()
    await page.setViewportSize({ width: 390, height: 844 })
    await dana.checkScreen()
  })

  await owner.leave()
  await dana.leave()
  await limber.stop()
  await company.close()
  await exchange.close()
  await inbox.close()
})
