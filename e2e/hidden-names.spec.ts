import { test as base, expect } from '#e2e/support/docket.ts'
import { packSite } from '#e2e/support/pack-site.ts'
import { plainService, type PlainService } from '#e2e/support/plain-service.ts'
import { openPart, startExport, untilSaved } from '#e2e/support/story.ts'

const test = base.extend<{ service: PlainService }>({
  service: plainService,
  docketEnv: async ({ service }, use) => {
    await use({ ADMIN_API_URL: service.url, ADMIN_API_KEY: service.key })
  },
})

/** Makes what follows run from right to left. */
const override = '\u202e'

const files = {
  'index.html': `<title>St${override}art</title><h1>Start</h1><a href="gui${override}de/lmth.html">Guide</a><a href="mis${override}sing.html">Missing</a>`,
  [`gui${override}de/lmth.html`]: `<title></title><h1>Gui${override}de</h1><a href="/mis${override}sing.html">Missing</a>`,
  [`gpj.${override}exe`]: 'x',
}

test('a name with a direction override shows that character, both on screen and to screen readers', async ({
  page,
  service,
}) => {
  service.pack(await packSite(files))
  service.stand({ status: 'completed' })
  const row = await startExport(page, 'docs.example.com')
  await untilSaved(row)
  await row.getByRole('link', { name: 'docs.example.com', exact: true }).click()
  /** Texts, tooltips and labels that hold the character itself. */
  const listRaw = () =>
    page.evaluate(
      (sign) =>
        [...document.querySelectorAll('body *')]
          .flatMap((element) => [
            ...['title', 'aria-label', 'alt'].map((name) => element.getAttribute(name) ?? ''),
            ...[...element.childNodes].flatMap((node) => (node.nodeType === 3 ? (node.textContent ?? '') : [])),
          ])
          .filter((text) => text.includes(sign)),
      override,
    )
  for (const part of ['Findings', 'Contents', 'Files']) {
    if (part === 'Files') await page.getByRole('button', { name: part, exact: true }).click()
    else await openPart(page, part)
    await expect(page.getByText('[U+202E]').first()).toBeVisible()
    expect(await listRaw()).toEqual([])
  }
})
