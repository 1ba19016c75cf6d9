import { expectAccessible } from '#e2e/support/axe.ts'
import { expect, test } from '#e2e/support/docket.ts'
import { addPerson, comeBack, otherBrowser, signIn } from '#e2e/support/people.ts'
import { answered, domainField, expectMessage, openStartForm, serviceJobs, siteRow } from '#e2e/support/story.ts'

const takesOperator = 'Only operators and admins can do this. Ask an admin for access.'

test.describe(() => {
  test.use({ ownDocket: true, signedIn: false })

  test('a first export runs two clicks after opening the printed link, which then no longer works @story', async ({
    page,
    docket,
    browser,
    tolerate,
  }) => {
    tolerate(answered(403))
    await page.goto('/exports')
    await expect(page.getByRole('heading', { level: 1, name: 'Open the link from the terminal' })).toBeVisible()
    await page.goto('/setup#of-another-docket')
    await expect(page.getByRole('heading', { level: 1, name: 'This link doesn’t work' })).toBeVisible()
    await expect(page.getByText('Restart Docket to get a new one.')).toBeVisible()
    const link = /Open (\S+) to create the first account/.exec(docket.readOutput())![1]!
    await page.goto(link)
    await expect(page.getByRole('heading', { level: 1, name: 'Welcome to Docket' })).toBeVisible()
    await expect(page).toHaveURL(`${docket.url}/setup`)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Start using Docket' }).click()
    await page.getByRole('button', { name: 'Start export' }).click()
    await expect(siteRow(page, 'docs.localhost')).toBeVisible()
    await expect.poll(() => serviceJobs(docket, 'docs.localhost')).toHaveLength(1)
    await expect(page.getByText('You have no password.')).toBeVisible()

    const other = await otherBrowser(browser)
    const late = await other.newPage()
    await late.goto(link)
    await expect(late.getByText('The first account exists', { exact: false })).toBeVisible()
    await late.goto('/')
    await expect(late.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible()
    await other.close()

    const signOut = async () => {
      await page.getByRole('button', { name: 'Menu of Owner' }).click()
      await page.getByRole('menuitem', { name: 'Sign out' }).click()
    }
    await signOut()
    const question = page.getByRole('dialog', { name: 'Sign out without a password?' })
    await expect(question).toContainText('You have no password. Set one, or you need a new link from the terminal.')
    await expectAccessible(page)
    await question.getByRole('button', { name: 'Set a password' }).click()
    await expect(page.getByRole('textbox', { name: 'New password' })).toBeFocused()
    await signOut()
    await question.getByRole('button', { name: 'Sign out anyway' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible()
    await expect(page.getByText('npm run admin:link')).toBeVisible()
  })
})

test.describe(() => {
  test.use({ signedIn: false })

  test('signing in returns to the requested page, and signing out leaves no data for the next user @story', async ({
    page,
    context,
    docket,
    tolerate,
  }) => {
    tolerate(answered(401))
    const [ada, bob] = [await addPerson(docket, 'operator'), await addPerson(docket, 'viewer')]
    await page.goto('/exports?q=docs')
    await expect(page).toHaveURL(/\/sign-in\?returnTo=/)
    await signIn(page, { ...ada, password: 'not the password of anybody' })
    await expect(page.getByRole('alert')).toHaveText('Wrong e-mail address or password.')
    await expectAccessible(page)
    await signIn(page, ada)
    await expect(page).toHaveURL(/\/exports\?q=docs$/)
    await (await openStartForm(page)).fill('only-ada.example.com')
    await page.keyboard.press('Escape')
    await page.evaluate(() => localStorage.setItem('docket.theme', 'light'))

    const otherTab = await context.newPage()
    await otherTab.goto('/exports')
    await (await openStartForm(otherTab)).fill('also-only-ada.example.com')

    await page.getByRole('button', { name: `Menu of ${ada.name}` }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible()
    const readStorage = () =>
      page.evaluate(() => [localStorage, sessionStorage].flatMap((storage) => Object.keys(storage)).join(' '))
    expect(await readStorage()).toBe('docket.theme')
    await expect(otherTab.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible()
    await expect(otherTab.getByText('You signed out in another tab.')).toBeVisible()
    expect(await readStorage()).toBe('docket.theme')
    expect(await otherTab.evaluate(() => sessionStorage.length)).toBe(0)
    expect(await otherTab.content()).not.toContain(ada.name)
    await expectAccessible(otherTab)
    await page.goto('/exports')
    await expect(page.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible()

    await signIn(otherTab, ada)
    await expect(await openStartForm(otherTab)).toHaveValue('also-only-ada.example.com')
    await expect(otherTab).toHaveURL(/\/exports$/)
    await comeBack(page)
    await expect(await openStartForm(page)).not.toHaveValue(/only-ada/)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: `Menu of ${ada.name}` }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await expect(otherTab.getByText('You signed out in another tab.')).toBeVisible()
    await expect(page.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible()

    await page.goto('/exports')
    await signIn(page, bob)
    await expect(page.getByText(bob.name).first()).toBeVisible()
    await expect(otherTab.getByText(bob.name).first()).toBeVisible()
    for (const tab of [page, otherTab]) {
      await expect(tab.getByRole('dialog')).toHaveCount(0)
      expect(await tab.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('only-ada')
    }
  })
})

test('an invited user signs in with the link, and actions beyond the viewer role are refused with a reason', async ({
  page,
  docket,
  browser,
}) => {
  await page.goto('/settings/people')
  await page.getByRole('button', { name: 'Invite someone' }).click()
  const dialog = page.getByRole('dialog', { name: 'Invite someone' })
  await dialog.getByRole('textbox', { name: 'E-mail' }).fill('vera@example.com')
  await dialog.getByRole('radio', { name: /^Viewer/ }).check()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Create link' }).click()
  const link = await dialog.getByLabel('Link', { exact: true }).innerText()
  // Nobody else reaches a loopback address.
  await expect(dialog.getByText('It only works on this computer')).toBeVisible()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByRole('listitem').filter({ hasText: 'vera@example.com' })).toContainText('Invited as viewer')

  const context = await otherBrowser(browser)
  const hers = await context.newPage()
  await hers.goto(link)
  await expect(hers.getByRole('heading', { level: 1, name: 'You are invited to Docket' })).toBeVisible()
  await expect(hers).toHaveURL(`${docket.url}/link`)
  await hers.getByRole('textbox', { name: 'Name' }).fill('Vera')
  const password = hers.getByRole('textbox', { name: 'Password', exact: true })
  await password.fill('nine slow barges drift')
  // Hidden from onlookers, and found by password managers.
  await expect(password).toHaveAttribute('type', 'password')
  await expect(password).toHaveAttribute('autocomplete', 'new-password')
  await expectAccessible(hers)
  await hers.getByRole('button', { name: 'Create account' }).click()
  await expect(hers.getByRole('heading', { level: 1, name: 'Sites' })).toBeVisible()

  await hers.goto('/exports')
  const start = hers.getByRole('button', { name: 'New export', exact: true })
  await expect(start).toBeDisabled()
  await expect(start).toHaveAccessibleDescription(takesOperator)
  await hers.keyboard.press('n')
  await expect(hers.getByRole('region', { name: 'Notifications' }).getByText(takesOperator)).toBeVisible()
  await start.press('Enter')
  // Beside the button, for those who have no tooltips.
  const reason = hers.locator('p[popover]').filter({ hasText: takesOperator })
  await expect(reason).toBeInViewport({ ratio: 1 })
  await hers.keyboard.press('Escape')
  await expect(reason).toHaveCount(0)
  await start.press('Enter')
  await expect(start).toBeFocused()
  await expect(reason).toBeInViewport({ ratio: 1 })
  await expectAccessible(hers)
  await expect(hers.getByRole('dialog')).toHaveCount(0)
  await hers.goto('/settings/people')
  await expect(hers.getByText('Only admins can do this.', { exact: false })).toBeVisible()
  await context.close()
})

test('when a session ends, the page and typed text stay, and its user can continue after signing in again @story', async ({
  page,
  docket,
  browser,
  tolerate,
}) => {
  tolerate(answered(401))
  const person = await addPerson(docket, 'operator')
  const context = await otherBrowser(browser)
  const theirs = await context.newPage()
  await theirs.goto('/exports')
  await signIn(theirs, person)
  await (await openStartForm(theirs)).fill('typed.example.com')

  await page.goto('/settings/people')
  await page.getByRole('combobox', { name: `Role of ${person.name}` }).selectOption('viewer')
  await expectMessage(page, `${person.name} is now a viewer.`)
  await comeBack(theirs)
  const out = theirs.getByRole('dialog', { name: 'You were signed out' })
  await expect(out).toBeVisible()
  await expectAccessible(theirs)
  await signIn(theirs, person)
  await expect(out).toHaveCount(0)
  await expect(domainField(theirs)).toHaveValue('typed.example.com')
  await expect(theirs.getByRole('button', { name: 'Start export' })).toBeDisabled()

  const row = page.getByRole('listitem').filter({ hasText: person.email })
  await row.getByRole('button', { name: `More for ${person.name}` }).click()
  await page.getByRole('menuitem', { name: 'Disable' }).click()
  await expect(row).toContainText('Disabled')
  await comeBack(theirs)
  await expect(out).toBeVisible()
  await signIn(theirs, person)
  await expect(out.getByRole('alert')).toContainText('Wrong')
  await context.close()
})

test('the chosen time zone applies at once, after a reload and in another browser @story', async ({
  page,
  browser,
}) => {
  await page.goto('/account')
  const times = page.getByRole('region', { name: 'Times' })
  await Promise.all([
    page.waitForResponse((response) => response.request().method() === 'PATCH'),
    times.getByRole('combobox', { name: 'Time zone' }).selectOption('Asia/Tokyo'),
  ])
  await expect(times).toContainText('GMT+9')
  await page.reload()
  await expect(times).toContainText('GMT+9')
  const elsewhere = await browser.newContext({
    storageState: { cookies: await page.context().cookies(), origins: [] },
  })
  const other = await elsewhere.newPage()
  await other.goto(page.url())
  await expect(other.getByRole('region', { name: 'Times' })).toContainText('GMT+9')
  await elsewhere.close()
  await Promise.all([
    page.waitForResponse((response) => response.request().method() === 'PATCH'),
    times.getByRole('combobox', { name: 'Time zone' }).selectOption({ label: 'This device (UTC)' }),
  ])
  await expect(times).toContainText('UTC')
})
