import { onboard, signIn } from './access-steps.ts'
import { expect, isFirefox, Person, test } from './journey.ts'
import { Authenticator } from './proofs.ts'

const CLERK = 'ines.carvalho@example.com'

test('an audit, its steps, a fix with the passkey, and the undo', async ({ browser, sample }) => {
  const clerk = await Person.open(browser)
  const { page } = clerk
  await Authenticator.attach(page)

  await test.step('a Finance worker signs in', async () => {
    const { app } = await onboard(clerk, await sample.invite(CLERK, 'Ines Carvalho', 'Finance'))
    await page.goto(`${sample.url}/worker/financial/tax-audit`)
    await signIn(clerk, CLERK, { app, limber: sample, mailbox: sample.mailbox })
  })

  const discrepancies = page.getByRole('table', { name: 'Discrepancies' })
  const status = page.getByText(/^1 to 5 of \d+$/)
  const steps = discrepancies.getByRole('button', { name: /^Show steps for/ })
  let before = ''

  await test.step('the audit runs automatically and finds discrepancies', async () => {
    await expect(page.getByRole('heading', { name: 'Tax audit' })).toBeVisible()
    await expect(steps).toHaveCount(5)
    before = await status.innerText()
    await expect(page.getByText('These figures are for reference only and are not tax advice.')).toBeVisible()
    await clerk.checkScreen()
  })

  await test.step('a row opens with steps that add up', async () => {
    await steps.first().click()
    const employee = page.getByRole('table', { name: 'Employee side' })
    await expect(employee).toBeVisible()
    const cents = (text: string | null) =>
      Math.round(Number((text ?? '').replaceAll(/[$,+]/g, '').replace('−', '-')) * 10_000)
    const amounts = (kind: string) => employee.locator(`tr[data-kind="${kind}"] td:last-child`).allInnerTexts()
    const [wages, ...taxes] = await amounts('head')
    const [calculated, difference] = await amounts('total')
    expect(cents(wages ?? '')).toBeGreaterThan(0)
    expect(taxes.reduce((sum, tax) => sum + cents(tax), 0)).toBe(cents(calculated ?? ''))
    const withheld = await employee
      .getByRole('row', { name: /^Withheld/ })
      .locator('td:last-child')
      .innerText()
    const adjusted = await employee
      .getByRole('row', { name: /^Adjustments/ })
      .locator('td:last-child')
      .allInnerTexts()
    expect(cents(withheld) + adjusted.reduce((sum, text) => sum + cents(text), 0) - cents(calculated ?? '')).toBe(
      cents(difference ?? ''),
    )
    await expect(page.getByRole('region', { name: 'Likely cause' })).toBeVisible()
    await clerk.checkScreen()
    await page.reload()
    await expect(page.getByRole('table', { name: 'Employee side' })).toBeVisible()
  })

  const dialog = page.getByRole('dialog', { name: 'Fix All: preview' })
  await test.step('Fix All previews its changes, and a line can be left out', async () => {
    await page.getByRole('button', { name: 'Fix All' }).click()
    await expect(dialog.getByRole('table', { name: 'Adjustments' })).toBeVisible()
    await dialog
      .getByRole('checkbox', { name: /^Select PR-/ })
      .first()
      .uncheck()
    await dialog.getByText('By earner').click()
    await expect(dialog.getByRole('table', { name: 'By earner' })).toBeVisible()
    await expect(dialog.getByRole('button', { name: /^Apply/ })).toBeEnabled()
    await clerk.checkScreen()
  })

  await test.step('it asks for the passkey, saves, and the audit runs again', async () => {
    clerk.expects(403, '/api/payroll/fix-discrepancies')
    await sample.expireStepUps()
    await dialog.getByRole('button', { name: /^Apply/ }).click()
    await page
      .getByRole('dialog', { name: 'Confirm with your passkey' })
      .getByRole('button', { name: 'Use passkey' })
      .click()
    await expect(page.getByText(/^\d+ adjustments applied\.$/)).toBeVisible()
    await expect(dialog).toBeHidden()
    await expect(steps).toHaveCount(1)
  })

  const list = page.getByRole('table', { name: 'Adjustments, newest first' })
  await test.step('the adjustments show who made them and why', async () => {
    await page.getByRole('tab', { name: 'Adjustments' }).click()
    await expect(list.getByText('Ines Carvalho').first()).toBeVisible()
    await expect(list.getByText('applied').first()).toBeVisible()
    await clerk.checkScreen()
  })

  await test.step('after undo, the audit finds the same discrepancies again', async () => {
    await list
      .getByRole('button', { name: /^Undo fix/ })
      .first()
      .click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Undo fix' }).click()
    await expect(page.getByText(/undone\. \d+ adjustments reversed\.$/)).toBeVisible()
    await expect(list.getByText('undone').first()).toBeVisible()
    await page.getByRole('tab', { name: 'Audit', exact: true }).click()
    await expect(status).toHaveText(before)
  })

  await test.step('the other panels open, and the list exports as a file', async () => {
    for (const title of ['Payroll summary', 'Transactions', 'Settings', 'Earners', 'Pay periods', 'Payroll details']) {
      await page.getByRole('navigation', { name: 'Worker sections' }).getByRole('link', { name: title }).click()
      await expect(page.getByRole('heading', { name: title, level: 1 })).toBeVisible()
      await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0)
      await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
      await clerk.checkScreen()
    }
    await page.getByLabel('Type', { exact: true }).selectOption('bonus')
    await expect(page).toHaveURL(/type=bonus/)
    // Playwright does not hear of Firefox's downloads, but of their response.
    const download = isFirefox(page)
      ? page
          .waitForResponse(/\/export\?/)
          .then((response) => response.headers()['content-disposition']?.split('filename=')[1]?.replaceAll('"', ''))
      : page.waitForEvent('download').then((file) => file.suggestedFilename())
    await page.getByRole('link', { name: 'Export CSV' }).dispatchEvent('click')
    expect(await download).toMatch(/^payroll-details-\d{4}-\d\d-\d\d\.csv$/)
  })
  await clerk.leave()
})
