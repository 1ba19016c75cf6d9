import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expectAccessible } from '#e2e/support/axe.ts'
import { expect, test } from '#e2e/support/docket.ts'
import { addPerson, otherBrowser, signIn } from '#e2e/support/people.ts'
import { answered, expectMessage } from '#e2e/support/story.ts'

test.use({ permissions: ['clipboard-read', 'clipboard-write'] })

test('a token is created, shown once, used by the page’s script, and revoked @story', async ({
  page,
  tolerate,
  docket,
}) => {
  tolerate(answered(400))
  await page.goto('/settings/tokens')
  await page.getByRole('button', { name: 'Create token' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create API token' })
  await dialog.getByRole('button', { name: 'Create token' }).click()
  await expect(dialog.getByText('Enter a name.')).toBeVisible()
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Nightly export')
  await dialog.getByRole('radio', { name: /^Only some/ }).check()
  await dialog.getByRole('button', { name: 'Create token' }).click()
  await expect(dialog.getByRole('alert')).toHaveText(/Enter at least one domain, project or site/)
  const domains = dialog.getByRole('textbox', { name: 'Domains' })
  await domains.fill('10.0.0.1')
  await dialog.getByRole('button', { name: 'Create token' }).click()
  await expect(dialog.getByText(/This is an address, not a domain/)).toBeVisible()
  await expect(dialog.getByRole('textbox', { name: 'Name' })).toHaveValue('Nightly export')
  await expectAccessible(page)
  await domains.fill('https://Docs.localhost/')
  await dialog.getByRole('button', { name: 'Create token' }).click()
  const tokenText = dialog.getByLabel('Token', { exact: true })
  await expect(tokenText).toHaveText(/^docket_[0-9A-Za-z]{49}$/)
  const token = (await tokenText.textContent()) ?? ''
  await dialog.getByRole('button', { name: 'Copy token' }).click()
  await expect(dialog.getByRole('button', { name: 'Copied' })).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(token)
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  const row = page
    .getByRole('region', { name: 'API tokens' })
    .getByRole('listitem')
    .filter({ hasText: 'Nightly export' })
  await expect(row).toContainText('docs.localhost · no agent jobs')
  // The dialog leaves the page a moment after it closed.
  await expect.poll(() => page.content()).not.toContain(token)

  await page.getByRole('textbox', { name: 'Domain' }).fill("docs.localhost'")
  await expect(page.getByText('Enter a domain, such as docs.example.com.')).toBeVisible()
  await page.getByRole('textbox', { name: 'Domain' }).fill('docs.localhost')
  await page.getByRole('button', { name: 'Copy the script' }).click()
  const script = await page.evaluate(() => navigator.clipboard.readText())
  expect(script).toContain(`docket='${docket.plainUrl}'`)
  await expectAccessible(page)

  const folder = mkdtempSync(join(tmpdir(), 'docket-token-'))
  try {
    writeFileSync(join(folder, 'export-docs.sh'), script)
    // The script waits politely; nobody else is here.
    writeFileSync(join(folder, 'sleep'), '#!/bin/sh\nexec /bin/sleep 0.3\n', { mode: 0o755 })
    const run = async () => {
      const child = spawn('sh', ['export-docs.sh'], {
        cwd: folder,
        env: { PATH: `${folder}:${process.env.PATH ?? ''}`, DOCKET_TOKEN: token },
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      let output = ''
      child.stderr.setEncoding('utf8').on('data', (chunk: string) => (output += chunk))
      await once(child, 'close')
      return output
    }
    expect(await run()).toContain('docs.localhost.tar.gz is complete, SHA-256 ')
    expect(readdirSync(folder).toSorted()).toEqual(['docs.localhost.tar.gz', 'export-docs.sh', 'sleep'])
    await page.reload()
    await expect(row).toContainText(/used (?:just now|\d+ s ago)/)

    await row.getByRole('button', { name: 'Revoke Nightly export' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click()
    await expect(row).toContainText('Revoked')
    await expect(row.getByRole('button')).toHaveCount(0)
    expect(await run()).toContain('401 This API token doesn’t work.')
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('the page of tokens fits a phone, and every snippet can be reached with the keyboard', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto('/settings/tokens')
  const text = page.getByRole('region', { name: 'export-docs.sh' })
  await expect(text).toBeVisible()
  await page.getByRole('button', { name: 'Shell' }).focus()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('region', { name: '.github/workflows/export-docs.yml' })).toBeVisible()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  const last = page.getByRole('region', { name: '.gitlab-ci.yml' })
  await last.focus()
  await expect(last).toBeFocused()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  const current = page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'People and tokens' })
  const { x, width } = (await current.boundingBox())!
  expect(x, 'the tab of this page').toBeGreaterThanOrEqual(0)
  expect(x + width, 'the tab of this page').toBeLessThanOrEqual(360)
  await expectAccessible(page)
})

test('tokens of a disabled user are paused, listed before the account is deleted, and can be handed over', async ({
  page,
  docket,
  browser,
}) => {
  const person = await addPerson(docket, 'admin')
  // An admin with a password stays.
  await addPerson(docket, 'admin')
  const [nightly, release] = [`Nightly of ${person.name}`, `Release of ${person.name}`] as const
  const context = await otherBrowser(browser)
  const theirs = await context.newPage()
  await theirs.goto(`${docket.url}/settings/tokens`)
  await signIn(theirs, person)
  for (const name of [nightly, release]) {
    await theirs.getByRole('button', { name: 'Create token' }).click()
    const dialog = theirs.getByRole('dialog', { name: 'Create API token' })
    await dialog.getByRole('textbox', { name: 'Name' }).fill(name)
    await dialog.getByRole('button', { name: 'Create token' }).click()
    await dialog.getByRole('button', { name: 'Done' }).click()
  }
  await context.close()

  const open = async (item: 'Disable' | 'Delete…') => {
    await page.goto('/settings/people')
    await page.getByRole('button', { name: `More for ${person.name}` }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  const row = (name: string) =>
    page.getByRole('region', { name: 'API tokens' }).getByRole('listitem').filter({ hasText: name })
  await open('Disable')
  await expectMessage(page, 'and ended their sessions')
  await page.goto('/settings/tokens')
  await expect(row(release)).toContainText(/Paused.*has no access/)
  await expectAccessible(page)
  await page.getByRole('button', { name: `Hand over to me: ${release}` }).click()
  await expect(row(release)).toContainText(`created by ${person.name}`)
  await expect(row(release)).toContainText('Expires')

  await open('Delete…')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('button', { name: 'Keep' })).toBeFocused()
  await expect(dialog).toContainText('Their 1 API token: ')
  await expect(dialog).toContainText(nightly)
  await expect(dialog.getByRole('radio', { name: /^Revoke/ })).toBeChecked()
  await expectAccessible(page)
  await dialog.getByRole('radio', { name: /^Hand over to me/ }).check()
  await dialog.getByRole('button', { name: 'Delete account' }).click()
  await expectMessage(page, 'Deleted the account of')
  await page.goto('/settings/tokens')
  await expect(row(nightly)).toContainText(', now of ')
  await expect(row(nightly).getByRole('button', { name: `Revoke ${nightly}` })).toBeVisible()
})
