import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { expectAccessible } from '#e2e/support/axe.ts'
import { expect, test as base } from '#e2e/support/connected.ts'
import { packSite } from '#e2e/support/pack-site.ts'
import { plainService, type PlainService } from '#e2e/support/plain-service.ts'
import { addPerson, otherBrowser, signIn } from '#e2e/support/people.ts'
import {
  answered,
  askForExport,
  chooseFromMenu,
  openFollowForm,
  openStartForm,
  download,
  expectMessage,
  exportRow,
  jobCard,
  openJob,
} from '#e2e/support/story.ts'

const test = base.extend<{ live: PlainService }>({ live: plainService })

const card = (page: Page, name: string) => page.getByRole('article', { name, exact: true })
const switcher = (page: Page) => page.getByRole('combobox', { name: 'Shown connection' })
const connectionField = (page: Page) => page.getByRole('combobox', { name: 'Connection', exact: true })

type ToConnect = { name: string; colour: 'Red' | 'Green'; isProduction: boolean }

const connect = async (page: Page, { url, key }: PlainService, { name, colour, isProduction }: ToConnect) => {
  await page.goto('/settings/connections')
  await page.getByRole('button', { name: 'Add a connection' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name', { exact: true }).fill(name)
  await dialog.getByLabel('Address').fill(url)
  await dialog.getByLabel('Admin key', { exact: true }).fill(key)
  await dialog.getByText('Advanced', { exact: true }).click()
  await dialog.getByText(colour, { exact: true }).click()
  await dialog.getByRole('checkbox', { name: /^Production/ }).setChecked(isProduction)
  await dialog.getByRole('button', { name: 'Add connection' }).click()
  await expect(card(page, name)).toBeVisible()
}

/** Connects a service under a name that no other test uses. */
const addProduction = (page: Page, service: PlainService, name: string) =>
  connect(page, service, { name, colour: 'Red', isProduction: true })

test('after a second connection is added, starts ask for one, records name theirs, and the address keeps the choice @story', async ({
  page,
  service: staging,
  live,
}) => {
  await addProduction(page, live, 'Live')
  await expect(page.getByText(live.key)).toHaveCount(0)
  await card(page, 'Live').getByRole('button', { name: 'Test the key' }).click()
  await expectMessage(page, /Live.?: key accepted\./)
  await expect(card(page, 'Live').getByText(/^key accepted/)).toBeVisible()
  await card(page, 'Live').getByText('What this deployment offers').click()
  await expect(card(page, 'Live').getByRole('definition')).toHaveText(Array.from({ length: 5 }, () => 'available'))
  await expectAccessible(page)

  await page.goto('/exports')
  await askForExport(page, 'docs.example.com')
  await expect(page.getByText('Choose a connection.')).toBeVisible()
  await connectionField(page).selectOption({ label: 'Live (production)' })
  await expect(page.getByText('Starts on')).toBeVisible()
  await page.getByRole('button', { name: 'Start export' }).click()
  const row = exportRow(page, 'docs.example.com')
  await expect(row.getByText('Live', { exact: true })).toBeVisible()
  await expect(row.getByText('Production', { exact: true })).toBeVisible()
  expect([staging.domains, live.domains]).toEqual([[], ['docs.example.com']])
  await expectAccessible(page)

  const name = new URL(staging.url).host
  await switcher(page).selectOption({ label: name })
  await expect(row).toHaveCount(0)
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Agent jobs' }).click()
  await expect(page).toHaveURL(/\/agent-jobs\?connection=[\da-f-]{36}$/)
  await page.reload()
  await expect(switcher(page).locator('option:checked')).toHaveText(name)
  await (await openFollowForm(page)).fill('acme run-1')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  const job = jobCard(page, 'run-1')
  await expect(job.getByText(name, { exact: true })).toBeVisible()
  await openJob(page, 'run-1')
  await expect(page).toHaveURL(/[?&]at=/)
  await expectAccessible(page)
})

test('an admin adds a code host, tests its token and replaces it, and no page shows a token', async ({
  page,
  service: staging,
}) => {
  const gitea = createServer(({ headers }, response) => {
    response.writeHead(headers.authorization === 'token good_canary' ? 200 : 401, {
      'content-type': 'application/json',
    })
    response.end('{}')
  }).listen(0, '127.0.0.1')
  await page.goto('/settings/connections')
  const { host, hostname } = new URL(staging.url)
  await chooseFromMenu(card(page, host), 'Code hosts…')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Kind').selectOption('gitea')
  await dialog.getByLabel('Address').fill(`http://${hostname}:${(gitea.address() as AddressInfo).port}`)
  await dialog.getByLabel('Token').fill('bad_canary')
  await dialog.getByRole('button', { name: 'Add code host' }).click()
  await dialog.getByRole('button', { name: /^Test the token/ }).click()
  await expect(dialog.getByText(/does not accept the token/)).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: /^Replace the token/ }).click()
  await dialog.getByLabel('New token').fill('good_canary')
  await dialog.getByRole('button', { name: 'Replace token' }).click()
  await expect(dialog.getByText('Not used yet', { exact: true })).toBeVisible()
  await dialog.getByRole('button', { name: /^Test the token/ }).click()
  await expect(dialog.getByText('Accepted', { exact: true })).toBeVisible()
  await expect(page.getByText(/_canary/)).toHaveCount(0)
  await dialog.getByRole('button', { name: /^Remove/ }).click()
  await dialog.getByRole('button', { name: 'Remove code host' }).click()
  await expect(dialog.getByRole('listitem')).toHaveCount(0)
  gitea.close()
})

test('a rejected key is reported with its connection’s name, and records of a paused connection are read-only with a reason', async ({
  page,
  live,
  tolerate,
}) => {
  tolerate(answered(502))
  await addProduction(page, live, 'Field')
  await page.goto('/exports')
  await (await openStartForm(page)).fill('field.example.com')
  await connectionField(page).selectOption({ label: 'Field (production)' })
  await page.getByRole('button', { name: 'Start export' }).click()
  const row = exportRow(page, 'field.example.com')
  live.stand({ status: 'completed' })
  await expect(row.getByRole('link', { name: /^Download/ })).toBeVisible()

  await live.be('key rejected')
  await chooseFromMenu(row, 'Check now')
  await expect(page.getByText('Field rejects the admin key')).toBeVisible()
  await live.be('well')

  await page.goto('/settings/connections')
  await chooseFromMenu(card(page, 'Field'), 'Pause')
  await expect(card(page, 'Field').getByText('Paused', { exact: true })).toBeVisible()
  await page.goto('/exports')
  await expect(row.getByText(/Field is paused/)).toBeVisible()
  await expect(row.getByRole('link', { name: /^Download/ })).toHaveCount(0)
  await row.getByRole('link', { name: 'field.example.com', exact: true }).click()
  await expect(page.getByText('Read-only', { exact: true })).toBeVisible()
  await expectAccessible(page)
})

test('a new address requires the key again, and an invalid form keeps what was typed', async ({
  page,
  live,
  tolerate,
}) => {
  tolerate(answered(400))
  await addProduction(page, live, 'Moved')
  await chooseFromMenu(card(page, 'Moved'), 'Edit…')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Address').fill('ftp://nowhere')
  await expect(dialog.getByText(/^Enter the key again/)).toBeVisible()
  await dialog.getByLabel('Admin key', { exact: true }).fill('another')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByLabel('Address')).toHaveAttribute('aria-invalid', 'true')
  await expect(dialog.getByLabel('Address')).toHaveValue('ftp://nowhere')
  await expect(dialog.getByLabel('Address')).toBeFocused()
  await expectAccessible(page)
})

test('adding a connection asks for three things, and one whose key isn’t proven is saved only on request', async ({
  page,
  tolerate,
}) => {
  tolerate(answered(409))
  const nowhere = createServer((_, response) => response.writeHead(404).end('404 page not found')).listen(
    0,
    '127.0.0.1',
  )
  await page.goto('/settings/connections')
  const url = `http://127.0.0.1:${(nowhere.address() as AddressInfo).port}/api`
  await page.getByRole('button', { name: 'Add a connection' }).click()
  const dialog = page.getByRole('dialog')
  const inputs = dialog.locator('input, select, textarea').filter({ visible: true })
  await expect(inputs).toHaveCount(3)
  await dialog.getByLabel('Name', { exact: true }).fill('Nowhere')
  await dialog.getByLabel('Address').fill(url)
  await dialog.getByLabel('Admin key', { exact: true }).fill('adm_any')
  await dialog.getByRole('button', { name: 'Add connection' }).click()
  await expect(dialog.getByText(/^Inconclusive: the address may be wrong\./)).toBeVisible()
  await expect(dialog.getByLabel('Address')).toBeFocused()
  await expect(inputs).toHaveCount(3)
  for (const [place, typed] of ['Nowhere', url, 'adm_any'].entries()) await expect(inputs.nth(place)).toHaveValue(typed)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Save anyway' }).click()
  await expect(card(page, 'Nowhere').getByText('Key inconclusive', { exact: true })).toBeVisible()
  await expect(card(page, 'Nowhere').getByText(/the address may be wrong/)).toBeVisible()
  await expectAccessible(page)
  nowhere.close()
})

test.describe(() => {
  test.use({
    docketEnv: async ({ service }, use) => use({ ADMIN_API_URL: service.url, ADMIN_API_KEY: service.key }),
  })

  test('a project can be named, and its name is shown on its jobs and filters them', async ({ page }) => {
    // There is nothing to choose from.
    await page.goto('/exports')
    await openStartForm(page)
    await expect(connectionField(page)).toHaveCount(0)
    await expect(switcher(page)).toHaveCount(0)

    await page.goto('/agent-jobs')
    await (await openFollowForm(page)).fill('acme run-1')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await expect(jobCard(page, 'run-1').getByTitle(/acme run-1/)).toBeVisible()
    await page.goto('/settings/connections')
    await page.getByRole('button', { name: 'Edit acme' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Handbook')
    await page
      .getByRole('dialog')
      .getByRole('checkbox', { name: /^Default/ })
      .check()
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await expect(page.getByRole('button', { name: 'Edit Handbook' })).toBeVisible()
    await page.goto('/agent-jobs')
    await expect(jobCard(page, 'run-1').getByTitle(/Handbook run-1/)).toBeVisible()
    await page.getByRole('button', { name: /^Filters/ }).click()
    await page.getByRole('combobox', { name: 'Project' }).fill('Handbook')
    await expect(page).toHaveURL(/\?projectId=acme$/)
    await (await openFollowForm(page)).fill('{"id":"many-1","status":"completed"}')
    await expect(page.getByRole('textbox', { name: 'Project ID' })).toHaveValue('acme')
  })
})

test.describe(() => {
  test.use({ docketEnv: { LOCAL_ADMIN_API: 'false' } })

  test('a rejected production key does not stop work on staging, a new key repairs it, and a removed connection’s records stay readable', async ({
    page,
    docket,
    browser,
    service: staging,
    live: production,
    tolerate,
  }) => {
    tolerate(answered(409))
    // Docket stores it at once, and a damaged one would not download without a question.
    staging.pack(await packSite({ 'index.html': '<h1>Hello</h1>' }))
    await connect(page, staging, { name: 'Staging', colour: 'Green', isProduction: false })
    await connect(page, production, { name: 'Production', colour: 'Red', isProduction: true })
    production.stand({ status: 'running', progress: 30, pageCount: 7 })
    await page.goto('/exports')
    await (await openStartForm(page)).fill('www.example.com')
    await connectionField(page).selectOption({ label: 'Production (production)' })
    await page.getByRole('button', { name: 'Start export' }).click()
    await expect(exportRow(page, 'www.example.com').getByText('7 pages')).toBeVisible()
    // One word for a connection of that name and its mark.
    await expect(exportRow(page, 'www.example.com').getByText('Production', { exact: true })).toHaveCount(1)

    const person = await addPerson(docket, 'viewer')
    await page.goto('/settings/people')
    await page.getByRole('combobox', { name: `Role of ${person.name}` }).selectOption({ label: 'Limited' })
    for (const grant of ['Operator of Staging', 'Viewer of Production']) {
      const [role = '', connection = ''] = grant.split(' of ')
      await page.getByRole('combobox', { name: 'Who' }).selectOption({ label: `${person.name} (${person.email})` })
      await page.getByRole('combobox', { name: 'Role', exact: true }).selectOption({ label: role })
      await page.getByRole('combobox', { name: 'On', exact: true }).selectOption({ label: connection })
      await page.getByRole('button', { name: 'Assign role' }).click()
      await expect(page.getByRole('list', { name: `Roles of ${person.name}` })).toContainText(grant)
    }
    await expectAccessible(page)

    const context = await otherBrowser(browser)
    const theirs = await context.newPage()
    await theirs.goto(`${docket.url}/exports`)
    await signIn(theirs, person)
    await (await openStartForm(theirs)).fill('docs.example.com')
    await expect(theirs.getByText('Starts on')).toContainText('Staging')
    await expect(connectionField(theirs)).toHaveCount(0)
    await theirs.getByRole('button', { name: 'Start export' }).click()
    const own = exportRow(theirs, 'docs.example.com')
    await expect(own.getByText('Staging', { exact: true })).toBeVisible()
    expect([staging.domains, production.domains]).toEqual([['docs.example.com'], ['www.example.com']])

    const seen = exportRow(theirs, 'www.example.com')
    await expect(seen.getByText('7 pages')).toBeVisible()
    const onlyLook = 'You can only view records of Production. Ask an admin for access.'
    await seen.getByRole('button', { name: /^More for / }).click()
    for (const command of ['Check now', 'Remove from list'])
      await expect(seen.getByRole('menuitem', { name: command })).toHaveAccessibleDescription(onlyLook)
    await theirs.keyboard.press('Escape')
    await switcher(theirs).selectOption({ label: 'Production' })
    await expect(own).toHaveCount(0)
    await openStartForm(theirs)
    await expect(connectionField(theirs).locator('option')).toHaveText(['Choose…', 'Staging'])
    await theirs.keyboard.press('Escape')
    await switcher(theirs).selectOption({ label: 'All connections' })

    production.changeKey('adm_key-after-the-rotation')
    const banner = theirs.getByText('Production rejects the admin key')
    await expect(banner).toBeVisible()
    await expect(theirs.getByText(/Ask an admin to replace it\./)).toBeVisible()
    await expect(theirs.getByRole('button', { name: 'Replace key' })).toHaveCount(0)
    staging.stand({ status: 'running', progress: 40, pageCount: 12 })
    await expect(own.getByText('12 pages')).toBeVisible()
    staging.stand({ status: 'completed' })
    expect((await download(theirs, own)).bytes.equals(staging.archive)).toBe(true)
    await expect(banner).toBeVisible()
    await expect(theirs.getByText(/Staging rejects/)).toHaveCount(0)
    await theirs.goto(`${docket.url}/settings/connections`)
    await expect(card(theirs, 'Staging').getByText('Connected', { exact: true })).toBeVisible()
    await card(theirs, 'Production')
      .getByText(/API calls? in the last hour/)
      .click()
    await expect(card(theirs, 'Production').getByRole('meter')).toBeVisible()
    for (const name of ['Add a connection', 'Test the key'])
      await expect(theirs.getByRole('button', { name })).toHaveCount(0)
    await card(theirs, 'Staging').getByRole('button', { name: 'More for Staging' }).click()
    await expect(theirs.getByRole('menuitem')).toHaveText(['Copy for support'])
    await expectAccessible(theirs)
    await theirs.goto(`${docket.url}/exports`)

    await page.goto('/settings/connections')
    await expect(card(page, 'Staging').getByText('Connected', { exact: true })).toBeVisible()
    await expect(card(page, 'Production').getByText('Key rejected', { exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Replace key' }).click()
    const dialog = page.getByRole('dialog', { name: 'Replace the key of Production' })
    await expect(dialog.getByLabel('Admin key')).toBeFocused()
    await page.keyboard.type('adm_mistyped')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog.getByText(/^The service rejected this key\./)).toBeVisible()
    await expectAccessible(page)
    await dialog.getByLabel('Admin key').fill(production.key)
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(dialog).toHaveCount(0)
    await expect(card(page, 'Production').getByText(/^key accepted/)).toBeVisible()
    await expect(page.getByText('Production rejects the admin key')).toHaveCount(0)
    await expect(banner).toHaveCount(0)
    production.stand({ status: 'completed' })
    await expect(seen.getByRole('button', { name: /^Download/ })).toHaveAccessibleDescription(
      /^Only operators download/,
    )
    await expect(seen.getByRole('link', { name: /^Download/ })).toHaveCount(0)

    await chooseFromMenu(card(page, 'Production'), 'Remove…')
    await page.getByRole('button', { name: 'Remove connection' }).click()
    await page.goto('/exports')
    for (const reader of [page, theirs]) {
      const row = exportRow(reader, 'www.example.com')
      await expect(row.getByText(/Production was removed/)).toBeVisible()
      await expect(row.getByText('Completed', { exact: true })).toBeVisible()
      await expect(row.getByRole('link', { name: /^Download/ })).toHaveCount(0)
      await row.getByRole('link', { name: 'www.example.com', exact: true }).click()
      await expect(reader.getByText('Read-only', { exact: true })).toBeVisible()
      await expectAccessible(reader)
    }
    await context.close()
  })

  test('without a service, Docket shows a message that links an admin to the settings', async ({ page }) => {
    for (const path of ['/', '/exports', '/agent-jobs']) {
      await page.goto(path)
      await expect(page.getByText('No service is connected').first()).toBeVisible()
      await expect(page.getByRole('button', { name: /^(Start|New) export$/ })).toHaveCount(0)
      await expectAccessible(page)
    }
    await page.getByRole('main').getByRole('link', { name: 'Connect a service in Settings' }).first().click()
    await expect(page.getByRole('button', { name: 'Add a connection' })).toBeVisible()
    await expectAccessible(page)
  })
})

test('a new address asks whether the same service moved; records of another service stay and can be moved later', async ({
  page,
  service,
  live,
  tolerate,
}) => {
  // A report on the connection that was just replaced may be under way.
  tolerate(({ text }) => /\b409\b.*\/api\/connection\?connection=/.test(text))
  await page.goto('/exports')
  await askForExport(page, 'moved.example.com')
  await expect(exportRow(page, 'moved.example.com')).toBeVisible()
  await page.goto('/settings/connections')
  const name = new URL(service.url).host
  await chooseFromMenu(card(page, name), 'Edit…')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('Which service is at the new address?')).toHaveCount(0)
  await dialog.getByLabel('Address').fill(live.url)
  await dialog.getByLabel('Admin key', { exact: true }).fill(live.key)
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(dialog.getByRole('alert')).toHaveText(/Choose whether the same service moved/)
  await expectAccessible(page)
  await dialog.getByRole('radio', { name: /^Another service/ }).check()
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(dialog).toHaveCount(0)
  const old = card(page, name).filter({ hasText: 'was removed' })
  await expect(old).toHaveCount(1)
  expect(live.domains).toEqual([])

  await chooseFromMenu(old, 'Move records…')
  await dialog.getByLabel('Move to').selectOption({ label: name })
  await expect(dialog.getByText('1 export and 0 agent jobs move.')).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Move records' }).click()
  await expectMessage(page, 'Moved 1 export and 0 agent jobs.')
})
