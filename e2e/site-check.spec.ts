import { expect, test, type BrowserContext } from '@playwright/test'
import { plantFault } from '#e2e/planted.ts'
import { servePlantedLeaks } from '#scripts/sites/planted-leaks.ts'

/** Opens empty pages that collect the other hosts they ask. */
const watchHosts = async (context: BrowserContext) => {
  const visits = new WeakMap<object, Set<string>>()
  const note = (page: object, address: string) => {
    const url = URL.canParse(address) ? new URL(address) : null
    if (url !== null && url.hostname !== '127.0.0.1' && url.host !== '') visits.get(page)?.add(url.host)
  }
  await context.exposeBinding('noteRefused', ({ page }, address: string) => note(page, address))
  await context.addInitScript(() => {
    addEventListener('securitypolicyviolation', ({ blockedURI }) =>
      (window as unknown as { noteRefused: (address: string) => void }).noteRefused(blockedURI),
    )
  })
  // What the policy does not cover, such as a redirect, ends here.
  await context.route(/^(?!https?:\/\/127\.0\.0\.1)/, (route, request) => {
    note(request.frame().page(), request.url())
    return route.abort()
  })
  return async () => {
    const page = await context.newPage()
    const hosts = new Set<string>()
    visits.set(page, hosts)
    return { page, hosts }
  }
}

test('Chromium sends requests to other hosts exactly where the bundle check finds a leak', async ({
  context,
}, info) => {
  await plantFault(context, info.file)
  const site = await servePlantedLeaks()
  const open = await watchHosts(context)
  // One page for all leaks: Chromium can wait for ever for a page that closes while it loads.
  const [planted, twins] = [await open(), await open()]
  try {
    for (const { name, host, unseen, plant, heal } of site.leaks) {
      plant()
      planted.hosts.clear()
      // A redirect that ends at once is an error for whoever navigates.
      await planted.page.goto(site.page, { waitUntil: 'commit' }).catch(() => {})
      if (unseen === 'click') await planted.page.getByRole('link', { name: 'Guide' }).click()
      // Nothing shows a connection in advance, and a browser without a window loads no manifest.
      if (unseen === 'hint') await planted.page.waitForLoadState()
      else await expect.poll(() => [...planted.hosts], `requests of “${name}”`).toContain(host)
      expect([...planted.hosts].filter((one) => one !== host)).toEqual([])
      heal()
      await twins.page.goto(site.page)
      expect([...twins.hosts], `the healthy twin of “${name}”`).toEqual([])
    }
  } finally {
    await site.close()
  }
})
