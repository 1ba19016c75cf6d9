import { expect, test as base } from '@playwright/test'
import { startDocket, type Docket } from '#e2e/support/docket-server.ts'
import { needsMore } from '#e2e/support/strict.ts'
import { watchPages, type Complaint } from '#e2e/support/page-watch.ts'

type PerTest = {
  /**
   * Set it to true in a file whose tests stop or kill the server, or need an empty one: then every test has its own.
   */
  ownDocket: boolean
  /** More environment for a Docket of one's own; implies `ownDocket`. */
  docketEnv: Readonly<Record<string, string>>
  /** Set it to false for a test about signing in: its browser then comes as nobody. Else it is the first admin's. */
  signedIn: boolean
  /** The running Docket of this test. `page.goto('/')` opens it. */
  docket: Docket
  /** Complaints a test expects, such as the console line of a request to a server it stopped itself. */
  tolerate: (expected: (complaint: Complaint) => boolean) => void
  /** Fails the test when a page complained. Every test has it. */
  cleanPages: Complaint[]
}

type PerWorker = {
  workerDocket: () => Promise<Docket>
}

const tolerated = new WeakMap<Complaint[], ((complaint: Complaint) => boolean)[]>()

/** Playwright's `test` with a real Docket and pages that may not complain. */
export const test = base.extend<PerTest, PerWorker>({
  ownDocket: [false, { option: true }],
  docketEnv: [{}, { option: true }],
  signedIn: [true, { option: true }],
  workerDocket: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures from this pattern.
    async ({}, use) => {
      // Started by the first test that shares it: a file whose tests all have their own needs none.
      let shared: Promise<Docket> | undefined
      await use(() => (shared ??= startDocket()))
      await (await shared)?.dispose()
    },
    { scope: 'worker', timeout: 900_000 },
  ],
  docket: [
    async ({ ownDocket, docketEnv, workerDocket }, use, info) => {
      const missing = needsMore(info.file, info.title)
      if (missing !== null) info.skip(true, `a strict service has no ${missing}`)
      const own = ownDocket || Object.keys(docketEnv).length > 0
      const docket = own ? await startDocket(docketEnv) : await workerDocket()
      await use(docket)
      if (info.status !== info.expectedStatus)
        await info.attach('what Docket printed', { body: docket.readOutput(), contentType: 'text/plain' })
      if (own) await docket.dispose()
    },
    { timeout: 900_000 },
  ],
  storageState: async ({ docket, signedIn }, use) => {
    if (!signedIn) return use({ cookies: [], origins: [] })
    const [name = '', value = ''] = (await docket.adminCookie()).split('=', 2)
    const { hostname: domain } = new URL(docket.url)
    const cookie = {
      name,
      value,
      domain,
      path: '/',
      expires: -1,
      httpOnly: true,
      secure: false,
      sameSite: 'Strict' as const,
    }
    return use({ cookies: [cookie], origins: [] })
  },
  baseURL: async ({ docket }, use) => use(docket.url),
  cleanPages: [
    async ({ context, docket }, use) => {
      const complaints = await watchPages(context, () => docket.url)
      await use(complaints)
      const expected = tolerated.get(complaints) ?? []
      expect(complaints.filter((complaint) => !expected.some((is) => is(complaint)))).toEqual([])
    },
    { auto: true },
  ],
  tolerate: async ({ cleanPages }, use) => {
    const expected: ((complaint: Complaint) => boolean)[] = []
    tolerated.set(cleanPages, expected)
    await use((is) => expected.push(is))
  },
})

export { expect } from '@playwright/test'
