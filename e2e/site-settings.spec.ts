import type { Page } from '@playwright/test'
import { callApi } from '#e2e/support/api.ts'
import { expectAccessible } from '#e2e/support/axe.ts'
import { expect, test } from '#e2e/support/connected.ts'
import { runSql } from '#e2e/support/database.ts'
import type { Docket } from '#e2e/support/docket-server.ts'
import { addPerson, otherBrowser, signIn } from '#e2e/support/people.ts'
import { packSite } from '#e2e/support/pack-site.ts'
import type { PlainService } from '#e2e/support/plain-service.ts'
import { download, startExport, untilSaved } from '#e2e/support/story.ts'

type SiteFacts = {
  siteId: string
  name: string
  label: string
  channels: { channelId: string; name: string; version: number }[]
}

const readSite = async (docket: Docket, domain: string): Promise<SiteFacts> => {
  const response = await callApi(docket, '/api/sites')
  const { sites } = (await response.json()) as { sites: SiteFacts[] }
  return sites.find(({ name }) => name === domain)!
}

const writeChannel = async (docket: Docket, { siteId, channels }: SiteFacts, change: object) => {
  const { channelId, version } = channels.find(({ name }) => name === 'production')!
  const body = { version, ...change }
  await callApi(docket, `/api/sites/${siteId}/channels/${channelId}`, { method: 'PATCH', body })
}

/** Opens the settings of the site of a domain, after its first export. */
const openSettings = async (
  page: Page,
  { docket, service }: { docket: Docket; service: PlainService },
  domain: string,
): Promise<SiteFacts> => {
  service.pack(await packSite({ 'index.html': '<!doctype html><title>Handbook</title><h1>Handbook</h1>' }))
  service.stand({ status: 'completed' })
  const row = await startExport(page, domain)
  await untilSaved(row)
  const site = await readSite(docket, domain)
  await page.goto(`/sites/${site.siteId}/settings`)
  return site
}

const openChannel = async (page: Page, name: string) => {
  await page.getByRole('button', { name: `Settings… of ${name}` }).click()
  return page.getByRole('dialog', { name: `Settings of ${name}` })
}

/** The line of the console about a request that Docket refused. */
const isRefusal = ({ kind, text }: { kind: string; text: string }) =>
  kind === 'console' && /status of (400|409)/.test(text)

test('an admin changes the checks before publishing and makes a channel public after a warning, and a conflict keeps what they typed @story', async ({
  page,
  docket,
  service,
  tolerate,
}) => {
  tolerate(isRefusal)
  const site = await openSettings(page, { docket, service }, 'checks.example.com')
  let dialog = await openChannel(page, 'production')
  await dialog.getByLabel('Approvals').check()
  await dialog.getByLabel('People who must approve').fill('9')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('Enter a whole number from 1 to 5.')).toBeVisible()
  await dialog.getByLabel('People who must approve').fill('2')
  await dialog.getByLabel('No new outside requests').uncheck()
  await expectAccessible(page)

  // Somebody else changes it meanwhile.
  await writeChannel(docket, site, { headers: [{ name: 'X-Frame-Options', value: 'DENY' }] })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByRole('alert')).toContainText('has changed since you looked')
  await expect(dialog.getByLabel('People who must approve')).toHaveValue('2')
  await expect(dialog.getByRole('group', { name: 'Header 1' }).getByLabel('Value')).toHaveValue('DENY')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()

  dialog = await openChannel(page, 'production')
  await expect(dialog.getByLabel('No new outside requests')).not.toBeChecked()
  await dialog.getByRole('button', { name: 'Restore defaults' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  dialog = await openChannel(page, 'production')
  await dialog.getByRole('radio', { name: 'Public' }).check()
  await expect(dialog.getByText('Everyone will be able to read production')).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Save and make public' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('region', { name: 'Channels' }).getByRole('listitem').first()).toContainText('Public')
  dialog = await openChannel(page, 'production')
  await expect(dialog.getByRole('button', { name: 'Restore defaults' })).toBeDisabled()
})

test('a channel that requires approvals becomes public once others approve, and a header no longer accepted is marked', async ({
  page,
  browser,
  docket,
  service,
}) => {
  const site = await openSettings(page, { docket, service }, 'approvals.example.com')
  const operator = await addPerson(docket, 'operator')
  await runSql(
    docket,
    `update channels set publish_checks = '{"finishedCheck":true,"noNewBreaks":true,"noNewLeaks":true,"maxFewerPages":10,"maxBytes":null,"sameSearch":true,"approvals":1}',
      headers = '[{"name":"X-Team","value":"docs"}]' where site_id = '${site.siteId}' and name = 'production'`,
  )
  await page.reload()
  let dialog = await openChannel(page, 'production')
  await expect(dialog.getByText('No longer accepted.', { exact: false })).toBeVisible()
  await dialog.getByRole('radio', { name: 'Public' }).check()
  const save = dialog.getByRole('button', { name: 'Save and make public' })
  await expect(save).toHaveAccessibleDescription('Others must approve first that everybody can read this channel.')
  await dialog.getByRole('button', { name: 'Ask for approvals' }).click()
  await expect(dialog.getByText('0 of 1 approvals')).toBeVisible()
  await expectAccessible(page)

  const other = await (await otherBrowser(browser)).newPage()
  await other.goto(`${docket.url}/`)
  await signIn(other, operator)
  await expect(other.getByRole('heading', { level: 1, name: 'Sites' })).toBeVisible()
  await other.goto(`${docket.url}/sites/${site.siteId}/settings`)
  const theirs = await openChannel(other, 'production')
  await theirs.getByRole('radio', { name: 'Public' }).check()
  await expect(theirs.getByRole('button', { name: 'Save and make public' })).toHaveAccessibleDescription(
    'Only admins make a channel public. Ask an admin.',
  )
  await other.goto(`${docket.url}/sites/${site.siteId}`)
  const request = other.getByRole('listitem', { name: 'Make production public' })
  await request.getByRole('button', { name: 'Approve' }).click()
  await expect(request.getByText('1 of 1 approvals')).toBeVisible()
  await expectAccessible(other)

  await page.reload()
  dialog = await openChannel(page, 'production')
  await dialog.getByRole('radio', { name: 'Public' }).check()
  await expect(dialog.getByText('1 of 1 approvals')).toBeVisible()
  await dialog.getByRole('button', { name: 'Save and make public' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('region', { name: 'Channels' }).getByRole('listitem').first()).toContainText('Public')
})

test('a viewer can download the export that a channel shows, and sees why other exports are refused', async ({
  page,
  browser,
  docket,
  service,
}) => {
  const domain = 'latest.example.com'
  const { siteId } = await openSettings(page, { docket, service }, domain)
  const viewer = await addPerson(docket, 'viewer')
  const other = await (await otherBrowser(browser)).newPage()
  await other.goto(`${docket.url}/`)
  await signIn(other, viewer)
  await expect(other.getByRole('heading', { level: 1, name: 'Sites' })).toBeVisible()
  // Latest shows it.
  await expect(async () => {
    await other.goto(`${docket.url}/exports?domain=${domain}`)
    await expect(other.getByRole('link', { name: /^Download .*bundle of latest\.example\.com/ })).toBeVisible({
      timeout: 2_000,
    })
  }).toPass()
  const { bytes } = await download(other, other)
  expect(bytes.length).toBeGreaterThan(100)
  await runSql(
    docket,
    `update channels set current_release_id = null where site_id = '${siteId}'; update list_revisions set tag = gen_random_uuid()`,
  )
  await other.reload()
  const refused = other.getByRole('button', { name: /^Download .*bundle of latest\.example\.com/ })
  await expect(refused).toHaveAccessibleDescription(/^Only operators download an export that no channel/)
})

test('a channel can be added and deleted, and a new label changes the addresses as the form announced', async ({
  page,
  docket,
  service,
  tolerate,
}) => {
  tolerate(isRefusal)
  const { siteId, label } = await openSettings(page, { docket, service }, 'labels.example.com')
  await page.getByRole('button', { name: 'Add a channel' }).click()
  const adding = page.getByRole('dialog', { name: 'Add a channel' })
  await adding.getByLabel('Name').fill('a--b')
  await adding.getByRole('button', { name: 'Add channel' }).click()
  await expect(adding.getByRole('alert')).toContainText('single dashes')
  await adding.getByLabel('Name').fill('staging')
  await expectAccessible(page)
  await adding.getByRole('button', { name: 'Add channel' }).click()
  const channels = page.getByRole('region', { name: 'Channels' })
  await expect(channels.getByRole('listitem')).toHaveCount(3)

  const dialog = await openChannel(page, 'production')
  await expect(dialog.getByRole('button', { name: 'Delete channel…' })).toHaveCount(0)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await (await openChannel(page, 'staging')).getByRole('button', { name: 'Delete channel…' }).click()
  const question = page.getByRole('dialog', { name: 'Delete the channel staging?' })
  await expectAccessible(page)
  await question.getByRole('button', { name: 'Delete channel' }).click()
  await expect(channels.getByRole('listitem')).toHaveCount(2)

  await page.getByRole('textbox', { name: 'Label' }).fill('handbook')
  await expect(page.getByText('These addresses stop working at once')).toBeVisible()
  await expect(page.getByText(`/sites/${label}/…`)).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save and change addresses' }).click()
  await expect(page.getByRole('button', { name: 'Save', exact: true })).toBeDisabled()
  expect(await readSite(docket, 'labels.example.com')).toMatchObject({ siteId, label: 'handbook' })
})

test('a user with a role on one channel only sees that site and nothing else, and People lists who may publish', async ({
  page,
  browser,
  docket,
  service,
}) => {
  const domain = 'roles.example.com'
  const site = await openSettings(page, { docket, service }, domain)
  const viewer = await addPerson(docket, 'viewer')
  await writeChannel(docket, site, { isProtected: true })
  await page.goto('/settings/people')
  const publishers = page.getByRole('region', { name: 'Who may publish to production' })
  await expect(publishers).not.toContainText(viewer.name)
  await page.getByRole('combobox', { name: 'Who' }).selectOption({ label: `${viewer.name} (${viewer.email})` })
  await page.getByRole('combobox', { name: 'On', exact: true }).selectOption({ label: `production of ${domain}` })
  await page.getByRole('button', { name: 'Assign role' }).click()
  await expect(page.getByRole('list', { name: `Roles of ${viewer.name}` })).toHaveText(
    `Operator of production of ${domain}`,
  )
  await expect(publishers).toContainText(viewer.name)
  await expectAccessible(page)

  const other = await (await otherBrowser(browser)).newPage()
  await other.goto(`${docket.url}/`)
  await signIn(other, viewer)
  await expect(other.getByRole('heading', { level: 1, name: 'Sites' })).toBeVisible()
  await other.goto(`${docket.url}/sites/${site.siteId}/settings`)
  const refused = other.getByRole('button', { name: 'Add a channel' })
  await expect(refused).toHaveAccessibleDescription(/Only admins and operators/)

  await page.goto('/settings/tokens')
  await page.getByRole('button', { name: 'Create token' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Create API token' })
  await dialog.getByLabel('Name').fill('Publish handbook')
  await dialog.getByRole('radio', { name: /^Only some/ }).check()
  await dialog
    .getByRole('group', { name: `Channels of ${domain}` })
    .getByLabel('production')
    .check()
  await expect(dialog).toContainText(`Publishes and downloads bundles of production of ${domain}, rolls back`)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Create token' }).click()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByText(`no exports · no agent jobs · releases of production of ${domain}`)).toBeVisible()
})

test('a site can be removed after its name is typed: its addresses end, and its exports stay', async ({
  page,
  docket,
  service,
  tolerate,
}) => {
  tolerate(({ kind, text }) => kind === 'console' && text.includes('status of 404'))
  const domain = 'removed.example.com'
  const { siteId } = await openSettings(page, { docket, service }, domain)
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true }).click()
  await expect(page.getByRole('link', { name: /^removed-example-com\.localhost/ })).toBeVisible()
  await page.getByRole('button', { name: 'Remove this site…' }).click()
  const dialog = page.getByRole('dialog', { name: `Remove ${domain}?` })
  await expect(dialog).toContainText('http://removed-example-com.localhost:')
  const confirm = dialog.getByRole('button', { name: 'Remove site' })
  await expect(confirm).toHaveAccessibleDescription('Type the name of the site first.')
  await expectAccessible(page)
  await dialog.getByLabel(`Type ${domain} to confirm`).fill(domain)
  await confirm.click()
  await expect(page).toHaveURL(/\/$/)
  const client = docket.client(await docket.adminCookie())
  for (const path of [`/api/sites/${siteId}`, '/sites/removed-example-com/production/bundle.tar.gz'])
    expect((await client.send('GET', path)).status).toBe(404)
  await page.goto(`/domains/${domain}`)
  await expect(page.getByRole('heading', { level: 1, name: domain })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Last 30 days' })).toBeVisible()
  await page.getByRole('link', { name: 'All exports' }).click()
  await expect(page).toHaveURL(`/exports?domain=${domain}`)
  await expect(page.getByRole('article', { name: `Export of ${domain}` })).toBeVisible()
})
