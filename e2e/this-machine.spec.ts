import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expectAccessible } from '#e2e/support/axe.ts'
import { test as base, expect } from '#e2e/support/docket.ts'
import type { Docket } from '#e2e/support/docket-server.ts'
import { plainService, type PlainService } from '#e2e/support/plain-service.ts'
import { answered, chooseFromMenu, domainField, exportRow, openStartForm } from '#e2e/support/story.ts'

const site = join(import.meta.dirname, 'fixture')
const sites = `docs.localhost=${site},handbook.localhost=${site}`

const test = base.extend<{ acme: PlainService }>({
  acme: plainService,
  docketEnv: { LOCAL_SITES: sites },
})

const card = (page: Page, name: string) => page.getByRole('article', { name, exact: true })
const connectionField = (page: Page) => page.getByRole('combobox', { name: 'Connection', exact: true })

const addAcme = async (page: Page, { url, key }: PlainService, isProduction = true) => {
  await page.goto('/settings/connections')
  await page.getByRole('button', { name: 'Add a connection' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name', { exact: true }).fill('Acme')
  await dialog.getByLabel('Address').fill(url)
  await dialog.getByLabel('Admin key', { exact: true }).fill(key)
  await dialog.getByText('Advanced', { exact: true }).click()
  await dialog.getByRole('checkbox', { name: /^Production/ }).setChecked(isProduction)
  await dialog.getByRole('button', { name: 'Add connection' }).click()
  await expect(card(page, 'Acme')).toBeVisible()
}

const restart = async (page: Page, docket: Docket, more?: Record<string, string>) => {
  // An open page would complain.
  await page.goto('about:blank')
  await docket.restart(more)
}

const typeAndEnter = async (page: Page, domain: string) => {
  await page.goto('/exports')
  await (await openStartForm(page)).fill(domain)
  await domainField(page).press('Enter')
}

test('with a production connection added, entering a domain of this machine starts an export on this machine', async ({
  page,
  docket,
  acme,
}) => {
  await addAcme(page, acme)
  await restart(page, docket)
  await typeAndEnter(page, 'handbook.localhost')
  await expect(exportRow(page, 'handbook.localhost').getByText('This machine', { exact: true })).toBeVisible()
  expect(acme.domains).toEqual([])

  await page.goto('/settings/connections')
  await expect(card(page, 'This machine').getByText('On, because LOCAL_SITES is set.')).toBeVisible()
  await card(page, 'This machine')
    .getByRole('button', { name: /^More for / })
    .click()
  await expect(page.getByRole('menuitem', { name: /^Switch/ })).toHaveCount(0)
})

test('with LOCAL_ADMIN_API=false, entering a domain of this machine starts nothing on production, and the form asks where', async ({
  page,
  docket,
  acme,
  tolerate,
}) => {
  tolerate(answered(409))
  await addAcme(page, acme)
  await restart(page, docket, { LOCAL_ADMIN_API: 'false' })
  await page.goto('/exports')
  await openStartForm(page)
  // The browser knows that one connection is left, so nothing is to be chosen.
  await expect(page.getByText('Starts on')).toContainText('Acme')
  await expect(connectionField(page)).toHaveCount(0)
  await typeAndEnter(page, 'handbook.localhost')
  const why = page.getByText(/handbook\.localhost belongs to This machine\. This machine is off/)
  await expect(why).toBeVisible()
  await expect(connectionField(page).locator('option:checked')).toHaveText('Choose…')
  await domainField(page).press('Enter')
  await expect(why).toBeVisible()
  expect(acme.domains).toEqual([])
  await expectAccessible(page)

  // The palette asks no more than the form.
  await page.keyboard.press('Escape')
  await page.keyboard.press('ControlOrMeta+k')
  const palette = page.getByRole('dialog', { name: 'Search or run a command' })
  await palette.getByRole('combobox').fill('export handbook.localhost')
  await palette.getByRole('option', { name: /^Export handbook\.localhost/ }).click()
  await expect(page.getByRole('status').getByText(/handbook\.localhost belongs to This machine/)).toBeVisible()
  expect(acme.domains).toEqual([])

  await openStartForm(page)
  await domainField(page).press('Enter')
  await connectionField(page).selectOption({ label: 'Acme (production)' })
  await domainField(page).press('Enter')
  await expect(exportRow(page, 'handbook.localhost')).toBeVisible()
  expect(acme.domains).toEqual(['handbook.localhost'])

  await page.goto('/settings/connections')
  await expect(card(page, 'This machine').getByText('Off, because LOCAL_ADMIN_API is false.')).toBeVisible()
})

test('the form preselects the connection that last exported a domain, and the Connection field precedes the button', async ({
  page,
  acme,
}) => {
  await addAcme(page, acme, false)
  await page.goto('/exports')
  await (await openStartForm(page)).fill('docs.acme.example')
  await expect(connectionField(page).locator('option:checked')).toHaveText('Choose…')
  await page.keyboard.press('Shift+Tab')
  await expect(connectionField(page)).toBeFocused()
  await page.keyboard.press('A')
  await expect(connectionField(page).locator('option:checked')).toHaveText('Acme')
  for (const focused of [
    domainField(page),
    page.getByRole('button', { name: 'Advanced' }),
    page.getByRole('button', { name: 'Start export' }),
  ]) {
    await page.keyboard.press('Tab')
    await expect(focused).toBeFocused()
  }
  await page.keyboard.press('Enter')
  await expect(exportRow(page, 'docs.acme.example').getByText('Acme', { exact: true })).toBeVisible()

  await (await openStartForm(page)).fill('docs.localhost')
  await expect(connectionField(page).locator('option:checked')).toHaveText('This machine')
  await domainField(page).fill('docs.acme.example')
  await expect(connectionField(page).locator('option:checked')).toHaveText('Acme')
  await domainField(page).fill('new.example.com')
  await expect(connectionField(page).locator('option:checked')).toHaveText('Choose…')
  // A choice is for the domain it was made for.
  await connectionField(page).selectOption({ label: 'Acme' })
  await domainField(page).fill('handbook.localhost')
  await expect(connectionField(page).locator('option:checked')).toHaveText('This machine')
})

test.describe(() => {
  test.use({ docketEnv: async ({ acme }, use) => use({ ADMIN_API_URL: acme.url, ADMIN_API_KEY: acme.key }) })

  test('an admin can switch this machine on beside another service, and the settings show when that takes effect', async ({
    page,
    docket,
  }) => {
    await page.goto('/settings/connections')
    const machine = card(page, 'This machine')
    await expect(machine.getByText('Off, because Docket uses other services.')).toBeVisible()
    await chooseFromMenu(machine, 'Switch on')
    await expect(
      machine.getByText('On after the next restart of Docket, because an admin switched it on.'),
    ).toBeVisible()
    await restart(page, docket)
    await page.goto('/settings/connections')
    await expect(machine.getByText('On, because an admin switched it on.')).toBeVisible()
    await expectAccessible(page)
    await chooseFromMenu(machine, 'Switch off')
    await expect(
      machine.getByText('Off after the next restart of Docket, because an admin switched it off.'),
    ).toBeVisible()
  })
})
