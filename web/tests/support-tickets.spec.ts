import { onboard, signIn } from './access-steps.ts'
import { expect, Person, test } from './journey.ts'
import { startLimber } from './limber.ts'
import { openMailbox } from './mailbox.ts'
import { Authenticator } from './proofs.ts'

const CUSTOMER = 'camille.okafor@example.com'
const SUBJECT = 'Charged twice for Saturday session'

test('two workers reply to one customer, and only one reply is sent at a time', async ({ browser }) => {
  const mailbox = await openMailbox()
  const limber = await startLimber('own', mailbox)
  const desk = `${limber.url}/support/tickets`

  const enter = async (link: string, email: string): Promise<Person> => {
    const person = await Person.open(browser)
    await Authenticator.attach(person.page)
    const { app } = await onboard(person, link)
    await signIn(person, email, { app, limber, mailbox })
    await person.page.goto(desk)
    await expect(person.page.getByRole('heading', { name: 'Support Tickets' })).toBeVisible()
    return person
  }
  const owner = await test.step('the owner opens Support Tickets without tickets', async () => {
    const person = await enter(limber.link, 'owner@example.com')
    await expect(person.page.getByText('No tickets yet')).toBeVisible()
    await person.checkScreen()
    return person
  })
  const dana = await test.step('a second worker opens it too', async () => {
    const link = await limber.invite('dana.whitfield@example.com', 'Dana Whitfield', 'Support Agent')
    return enter(link, 'dana.whitfield@example.com')
  })
  const row = ({ page }: Person) => page.getByRole('region', { name: 'Tickets' }).getByRole('link', { name: SUBJECT })
  const thread = ({ page }: Person) => page.getByRole('list', { name: 'Messages' })
  const box = ({ page }: Person) => page.getByPlaceholder('Type your response...')
  const send = ({ page }: Person) => page.getByRole('button', { name: 'Send Response' }).click()

  let opening = ''
  await test.step('a new ticket sends a confirmation email and appears for the second worker', async () => {
    await owner.page.getByRole('button', { name: 'New Ticket' }).click()
    const dialog = owner.page.getByRole('dialog', { name: 'New Ticket' })
    await dialog.getByLabel('Customer email').fill(CUSTOMER)
    await dialog.getByLabel('Subject').fill(SUBJECT)
    await dialog.getByLabel('Message').fill('My card was charged <b>two</b> times.')
    await owner.checkScreen()
    await dialog.getByRole('button', { name: 'Create ticket' }).click()
    await expect(thread(owner).getByText('My card was charged <b>two</b> times.')).toBeVisible()
    await expect(row(dana)).toBeVisible()
    opening = (await mailbox.find(CUSTOMER, `[#1] ${SUBJECT}`)).header('Message-ID')
    await owner.checkScreen()
  })

  await test.step('each worker sees the other in the list and on the ticket', async () => {
    await expect(row(dana).getByText(/viewing$/)).toBeVisible()
    await row(dana).click()
    await expect(dana.page.getByText(/is viewing this ticket$/)).toBeVisible()
    await expect(owner.page.getByText('Dana Whitfield is viewing this ticket')).toBeVisible()
    await box(owner).fill('We are looking into it.')
    await expect(dana.page.getByText(/is viewing this ticket and writing a reply$/)).toBeVisible()
    await dana.checkScreen()
  })

  await test.step('the first reply is sent in the same email conversation', async () => {
    await dana.page.keyboard.press('r')
    await dana.page.keyboard.type('The second charge is released.')
    await dana.page.keyboard.press('Control+Enter')
    await expect(thread(dana).getByText('The second charge is released.')).toBeVisible()
    const answer = await mailbox.find(CUSTOMER, `Re: [#1] ${SUBJECT}`)
    expect(answer.text).toContain('The second charge is released.')
    expect(opening).toMatch(/^<.+@.+>$/)
    expect(answer.header('In-Reply-To')).toBe(opening)
    expect(answer.header('References')).toBe(opening)
  })

  await test.step('the second reply is refused and its draft stays', async () => {
    await expect(owner.page.getByText('Someone else replied. Read the new message, then send.')).toBeVisible()
    await owner.checkScreen()
    owner.expects(409, '/api/support/tickets/1/respond')
    await send(owner)
    await expect(owner.page.getByText('Someone else replied. Read the new message, then send again.')).toBeVisible()
    await expect(box(owner)).toHaveValue('We are looking into it.')
    expect(mailbox.count(CUSTOMER, 'Re: [#1]')).toBe(1)
    await box(owner).fill('You have the money on Tuesday.')
    await owner.page.reload()
    await expect(box(owner)).toHaveValue('You have the money on Tuesday.')
    await owner.page.getByRole('button', { name: 'Other ways to send' }).click()
    await owner.page.getByRole('menuitem', { name: 'Send and close' }).click()
    await expect(thread(dana).getByText('You have the money on Tuesday.')).toBeVisible()
    await expect.poll(() => mailbox.count(CUSTOMER, 'Re: [#1]')).toBe(2)
    const closed = dana.page.getByRole('region', { name: 'Filter by status' }).getByRole('button', { name: /Closed/ })
    await expect(closed).toContainText('1')
    await expect(dana.page.getByLabel('Status', { exact: true })).toHaveValue('closed')
  })

  await test.step('the newest message stays visible in a low window', async () => {
    await dana.page.setViewportSize({ width: 1440, height: 560 })
    await expect(thread(dana).getByText('You have the money on Tuesday.')).toBeInViewport({ ratio: 1 })
  })

  await test.step('a note is not sent to the customer; a phone shows list and ticket as pages', async () => {
    const { page } = dana
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('button', { name: 'Internal note' }).click()
    await page.getByRole('textbox', { name: 'Internal note' }).fill('A double tap on Pay.')
    await page.getByRole('button', { name: 'Add Note' }).click()
    await expect(thread(dana).getByText('A double tap on Pay.')).toBeVisible()
    await dana.checkScreen()
    await page.getByRole('button', { name: 'Tickets', exact: true }).click()
    await expect(row(dana)).toBeVisible()
    await dana.checkScreen()
    expect(mailbox.count(CUSTOMER, '[#1]')).toBe(3)
  })

  await owner.leave()
  await dana.leave()
  await limber.stop()
  await mailbox.close()
})
