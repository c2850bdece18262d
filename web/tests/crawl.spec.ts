import { CONTRAST, judgeAccess } from '../../crawl/access.ts'
import { judgeContrast } from '../../crawl/contrast.ts'
import { judgeLayout } from '../../crawl/judge.ts'
import { feltPause } from '../../crawl/pace.ts'
import { walk } from '../../crawl/walk.ts'
import { onboard, signIn } from './access-steps.ts'
import { expect, Person, test } from './journey.ts'
import { Authenticator } from './proofs.ts'

const OWNER = 'lena.osei@example.com'

test('every screen of the sample company passes all checks, wide and narrow', async ({ browser, sample }) => {
  const owner = await Person.open(browser, { baseURL: sample.url })
  await Authenticator.attach(owner.page)
  const { app } = await onboard(owner, await sample.invite(OWNER, 'Lena Osei', 'Owner'))
  await owner.page.goto(`${sample.url}/dashboard/worker-profile`)
  await signIn(owner, OWNER, { app, limber: sample, mailbox: sample.mailbox })
  const { faults, screens } = await walk(owner.page, {
    role: 'Owner',
    views: [
      { width: 1440, theme: 'light' },
      { width: 390, theme: 'dark' },
    ],
    openViews: [],
    isBrief: true,
  })
  expect(faults).toEqual([])
  expect(screens).toBeGreaterThan(20)
  await owner.leave()
})

test('reports low contrast text, and accepts good contrast', async ({ page }) => {
  await page.setContent(`<div style="background: #fff"><p style="color: #999">too pale</p><p style="color: #555">good</p>
    <section style="background: rgb(0 0 0 / 60%)"><p style="color: #444">too dark</p></section></div>`)
  expect(await judgeContrast(page)).toEqual(['contrast 2.85: too pale', 'contrast 1.70: too dark'])
})

test('reports an option wider than its list, and accepts one that fits or is truncated', async ({ page }) => {
  await page.setContent(`<style>select { width: 150px; font-size: 20px; font-variant-numeric: tabular-nums }</style>
    <select><option>Oct 26 – Nov 8, 2026</option></select><select><option>Any</option></select>
    <select style="text-overflow: ellipsis"><option>Maximiliane Featherstonehaugh</option></select>`)
  expect(await judgeLayout(page)).toEqual(['cut off: Oct 26 – Nov 8, 2026'])
})

test('reports a control without a name, on every check', async ({ page }) => {
  await page.setContent('<main><h1>Limber</h1><button></button></main>')
  expect(await judgeAccess(page, { without: CONTRAST })).toContain('button-name: button')
  await page.evaluate("document.querySelector('button').textContent = 'Save'")
  expect((await judgeAccess(page)).join()).not.toContain('button-name')
})

test('reports targets that are small and close together', async ({ page }) => {
  const small = '<button aria-label="Edit" style="width: 14px; height: 14px; padding: 0; border: 0; margin: 0">'
  await page.setContent(`<main><h1>Limber</h1>${small}</button>${small}</button></main>`)
  expect((await judgeAccess(page, { without: CONTRAST })).join()).toContain('target-size')
  await page.addStyleTag({ content: 'button { margin: 12px !important }' })
  expect((await judgeAccess(page)).join()).not.toContain('target-size')
})

test('reports a page with a long task, and accepts a short one', async ({ page }) => {
  await page.setContent('<main><h1>Limber</h1></main>')
  const work = async (ms: number) => {
    await feltPause(page)
    await page.evaluate(
      (much) =>
        new Promise<void>((resolve) =>
          setTimeout(() => {
            const end = performance.now() + much
            while (performance.now() < end);
            setTimeout(resolve, 50)
          }),
        ),
      ms,
    )
    return feltPause(page)
  }
  expect(await work(2000)).toBeGreaterThan(200)
  expect(await work(60)).toBeUndefined()
})
