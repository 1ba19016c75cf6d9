import { expectAccessible } from '#e2e/support/axe.ts'
import { expect, test } from '#e2e/support/connected.ts'
import { packSite } from '#e2e/support/pack-site.ts'
import { chooseFromMenu, expectMessage, startExport, untilSaved } from '#e2e/support/story.ts'

const packHandbook = (words: string, more = '') => {
  const layOut = (main: string) =>
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Handbook</title></head><body><main><h1>Handbook</h1><p>${main}</p>${more}</main></body></html>`
  return packSite({ 'index.html': layOut(words), '404.html': layOut('There is no such page.') })
}

const domain = 'handbook.example.com'

test('an export is published in two clicks, and the next one can be compared, published too, and rolled back @story', async ({
  page,
  service,
  tolerate,
}) => {
  // The hosted site is another origin, and this is where it opens.
  tolerate(({ kind, text }) => kind === 'foreign request' && new URL(text).host.startsWith('handbook-example-com.'))
  tolerate(({ text }) => /handbook-example-com\.localhost|elsewhere\.example/.test(text))
  service.pack(await packHandbook('The first words.'))
  service.stand({ status: 'completed' })
  const row = await startExport(page, domain)
  await untilSaved(row)
  await row.getByRole('link', { name: domain, exact: true }).click()
  await expect(page.getByRole('button', { name: 'Publish', exact: true })).toBeVisible()
  const wide = page.viewportSize()!
  await page.setViewportSize({ width: 360, height: 740 })
  const last = page.getByRole('button', { name: new RegExp(`^(?:Publish|More for ${domain})$`) })
  const middles = await last.evaluateAll((buttons) =>
    buttons.map((button) => button.getBoundingClientRect()).map(({ y, height }) => Math.round(y + height / 2)),
  )
  expect(middles, 'the menu is in the row of the button before it').toEqual([middles[0], middles[0]])
  await page.setViewportSize(wide)
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Checks before publishing').click()
  await expect(dialog.getByText('The check of the bundle finished.')).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Publish', exact: true }).click()
  await expectMessage(page, 'Published. Readers see release 1.')
  await page.getByRole('link', { name: 'release 1', exact: true }).click()
  const opening = page.waitForEvent('popup')
  await page.getByRole('link', { name: /^handbook-example-com\.localhost/ }).click()
  const reader = await opening
  await expect(reader).toHaveURL(/^http:\/\/handbook-example-com\.localhost:\d+\/$/)
  await expect(reader.getByText('The first words.')).toBeVisible()

  service.pack(await packHandbook('The second words.', '<img src="https://elsewhere.example/x.png" alt="A shelf">'))
  const next = await startExport(page, domain)
  await expect(next.getByText('1 outside request')).toBeVisible()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Sites' }).click()
  await page.getByRole('link', { name: domain }).first().click()
  await expect(page.getByText(/^Newest: .* · 2 pages changed · Compare$/)).toBeVisible()
  await expect(page.getByRole('main').getByText('Live', { exact: true }).first()).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await expect(dialog.getByText(/^1 new outside request:/)).toBeVisible()
  await expect(dialog.getByText(/pages? changed/).first()).toBeVisible()
  await dialog.getByRole('button', { name: 'Publish anyway and say why' }).click()
  await dialog.getByLabel('Why publish anyway?').fill('The gap has a mirror of that host.')
  await dialog.getByRole('button', { name: /^Publish/ }).click()
  await expectMessage(page, 'Published. Readers see release 2.')
  await page.getByRole('link', { name: 'Releases', exact: true }).click()
  await expect(page.getByText('The gap has a mirror of that host.').first()).toBeVisible()
  await expect(async () => {
    await reader.reload()
    await expect(reader.getByText('The second words.')).toBeVisible({ timeout: 1_000 })
  }).toPass()

  await chooseFromMenu(page.locator('header').filter({ hasText: 'Newest' }), 'Roll back…')
  await dialog.getByRole('button', { name: 'Roll back to release 1' }).click()
  await expectMessage(page, 'Rolled back. Readers see release 1 again.')
  await expect(page.getByText(/^Live: release 1 · /)).toBeVisible()
  await expect(page.getByRole('heading', { name: /^Rolled back to release 1/ })).toBeVisible()
  await expectAccessible(page)
  await expect(async () => {
    await reader.reload()
    await expect(reader.getByText('The first words.')).toBeVisible({ timeout: 1_000 })
  }).toPass()
  await page.getByRole('button', { name: /^Publish again.*release 2\b/ }).click()
  await dialog.getByRole('button', { name: 'Roll back to release 2' }).click()
  await expect(page.getByText(/^Live: release 2 · /)).toBeVisible()
})

test('from any page, the palette finds a site, and publishes it and rolls it back in two presses @story', async ({
  page,
  service,
}) => {
  const own = 'manual.example.com'
  const readNewest = () =>
    page.evaluate(async (name) => {
      const { sites } = (await (await fetch('/api/sites')).json()) as {
        sites: { name: string; newest: { exportId: string } | null }[]
      }
      return sites.find((site) => site.name === name)?.newest?.exportId
    }, own)
  const press = async (text: string, option: string) => {
    // Keys do nothing while a dialog is open, and the message appears before it is closed.
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await page.keyboard.press('Control+k')
    const palette = page.getByRole('dialog', { name: 'Search or run a command' })
    await palette.getByRole('combobox').fill(text)
    await expect(palette.getByRole('option', { name: option, exact: true })).toHaveAttribute('aria-selected', 'true')
    await page.keyboard.press('Enter')
  }
  const confirm = async (name: string) => {
    const button = page.getByRole('dialog').getByRole('button', { name, exact: true })
    await expect(button).toBeFocused()
    await expect(button).toBeEnabled()
    await page.keyboard.press('Enter')
  }
  service.stand({ status: 'completed' })
  let before: string | undefined
  for (const release of [1, 2]) {
    service.pack(await packHandbook(`The words of release ${release}.`))
    await startExport(page, own)
    await expect.poll(readNewest).not.toBe(before)
    before = await readNewest()
    await page.goto('/settings/about')
    await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible()
    await press('publish manual', `Publish ${own}`)
    await confirm('Publish')
    await expectMessage(page, `Published. Readers see release ${release}.`)
  }
  await press('roll back manual', `Roll back ${own}`)
  await confirm('Roll back to release 1')
  await expect(page.getByText('Rolled back. Readers see release 1 again.').first()).toBeVisible()
  await press('manual', own)
  await expect(page.getByRole('heading', { level: 1, name: own })).toBeVisible()
})
