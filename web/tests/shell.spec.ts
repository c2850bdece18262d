import { expect, Person, test } from './journey.ts'

test('the sample link opens the shell', async ({ browser, sample }) => {
  const visitor = await Person.open(browser)
  const { page } = visitor

  await test.step('the link signs in once and leaves no key behind', async () => {
    await page.goto(sample.link)
    await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link')).toHaveText([
      'Analytics',
      'Worker',
      'Support',
      'Growth',
    ])
    expect(page.url()).not.toContain('key=')
    await expect(page.getByText('Sample company')).toBeVisible()
    await visitor.checkScreen()
  })

  await test.step('Ctrl-K finds a section and goes there', async () => {
    await page.keyboard.press('Control+k')
    const palette = page.getByRole('dialog')
    await palette.getByRole('combobox').fill('profile')
    await visitor.checkScreen()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'My profile' })).toBeVisible()
    await visitor.checkScreen()
  })

  await test.step('the theme switches and stays', async () => {
    await page.getByRole('button', { name: /^Theme/ }).click()
    await page.getByRole('menuitemradio', { name: 'Dark' }).click()
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
    await page.reload()
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
  })

  await test.step('an unknown path shows Page not found inside the shell', async () => {
    await page.goto(`${sample.url}/nothing/here`)
    await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
    await visitor.checkScreen()
  })

  await test.step('on a phone the sections are in a menu', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(`${sample.url}/dashboard/worker-profile`)
    await page.getByRole('button', { name: /My profile/ }).click()
    await visitor.checkScreen()
    await page.getByRole('menuitem', { name: 'Access & audit' }).click()
    await expect(page.getByRole('heading', { name: 'Access & audit' })).toBeVisible()
    await visitor.checkScreen()
    await page.getByRole('link', { name: 'Audit log' }).click()
    await expect(page.getByRole('button', { name: 'Priya Raman opened the sample company' })).toBeVisible()
    await visitor.checkScreen()
  })
  await visitor.leave()
})
