import { expect, test } from '#e2e/support/docket.ts'
import { readLocalService } from '#e2e/support/story.ts'

// Checks the basis of all other tests: a page that reports an error fails its test.

test('a console error, an uncaught error, a policy violation and a foreign request are all detected @story', async ({
  page,
  docket,
  cleanPages,
  tolerate,
}) => {
  tolerate(() => true)
  await page.goto('/settings/about')
  expect(cleanPages).toEqual([])
  await page.evaluate(() => {
    // oxlint-disable-next-line no-console -- it is the subject
    console.error('planted')
    setTimeout(() => {
      throw new Error('planted')
    })
    const image = document.createElement('img')
    image.src = 'https://elsewhere.example/pixel.png'
    document.body.append(image)
  })
  const kinds = () => [...new Set(cleanPages.map(({ kind }) => kind))].toSorted()
  await expect.poll(kinds).toEqual(expect.arrayContaining(['console', 'page error', 'policy']))
  const elsewhere = readLocalService(docket)
  await page.goto(elsewhere)
  const addresses = () => cleanPages.filter(({ kind }) => kind === 'foreign request').map(({ text }) => text)
  await expect.poll(addresses).toContainEqual(expect.stringContaining(elsewhere))
})

test.fail('a page that reports an error fails its test', async ({ page }) => {
  await page.goto('/settings/about')
  await page.evaluate(() => {
    // oxlint-disable-next-line no-console -- it is the subject
    console.error('planted')
  })
})
