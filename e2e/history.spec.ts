import { expectAccessible } from '#e2e/support/axe.ts'
import { expect, test } from '#e2e/support/docket.ts'
import { chooseFromMenu, download, exportRow, exportRows, openPart, startExport } from '#e2e/support/story.ts'

test('the page of an export shows its history from start to download, and who did what', async ({ page }) => {
  const domain = 'slow-04.sentinel.test'
  const row = await startExport(page, domain)
  await row.getByRole('link', { name: domain, exact: true }).click()
  await openPart(page, 'History')
  const history = page.getByRole('region', { name: 'History' })
  const steps = history.getByRole('listitem')
  await expect(steps.first()).toContainText(/Export requested\s*by Owner/)
  await expect(steps.filter({ hasText: 'Accepted by the service' })).toHaveCount(1)
  await expect(steps.filter({ hasText: 'Completed' })).toHaveCount(1)
  await download(page, page)
  await expect(steps.filter({ hasText: /Bundle downloaded\s*by Owner/ })).toHaveCount(1)
  const titles = (await steps.allInnerTexts()).join('\n')
  expect(titles).toMatch(/Export requested[^]*Accepted by the service[^]*Completed[^]*Bundle downloaded/)
  await expect(history.getByText(/Kept for \d+ days/)).toBeVisible()
  await expectAccessible(page)
})

test('the trends of a site plot its exports, and the values are readable by pointer, by keyboard and as tables', async ({
  page,
}) => {
  const domain = 'slow-03.sentinel.test'
  for (const times of [1, 2]) {
    await startExport(page, domain)
    await expect(exportRows(page, domain).getByText('Completed', { exact: true })).toHaveCount(times)
  }
  await chooseFromMenu(exportRow(page, domain), 'Open site')
  await page.getByRole('link', { name: 'Trends', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: domain })).toBeVisible()
  await expect(page).toHaveTitle(new RegExp(`${domain} · Docket$`))
  await expect(page.getByRole('region', { name: 'Last 30 days' })).toContainText(/100 %\s*2 of 2/)

  const plot = page.getByRole('figure', { name: 'Duration' })
  const slider = plot.getByRole('slider', { name: 'Duration' })
  await slider.focus()
  await page.keyboard.press('ArrowLeft')
  await expect(slider).toHaveAttribute('aria-valuetext', /UTC: \d+ s, completed$/)
  await plot.getByText('Show as table').click()
  await expect(plot.getByRole('row')).toHaveCount(3)
  // Known from Docket's own copy, without a download.
  await expect(page.getByRole('figure', { name: 'Bundle size' }).getByRole('slider')).toBeVisible()
  await expectAccessible(page)
  await page.setViewportSize({ width: 360, height: 740 })
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
  await slider.press('Enter')
  await expect(page).toHaveURL(/\/exports\//)

  await openPart(page, 'History')
  const timeline = page.getByRole('region', { name: 'Timeline' })
  await expect(timeline.getByRole('listitem').last()).toContainText(/Running (under )?\d+ s/)
  await page.goBack()
  await page.goBack()
  // A click that had to scroll first would leave the point, and its link.
  await plot.evaluate((element) => element.scrollIntoView({ block: 'center' }))
  const box = (await plot.getByRole('slider').boundingBox())!
  await page.mouse.move(box.x + box.width - 30, box.y + 20)
  await plot.getByRole('link', { name: /^Open the export of/ }).click()
  await expect(page).toHaveURL(/\/exports\//)
})
