import { join } from 'node:path'
import { expect, test as base } from '@playwright/test'
import { plantFault } from '#e2e/planted.ts'
import { startDocket, type Docket } from '#e2e/support/docket-server.ts'
import { needsMore } from '#e2e/support/strict.ts'
import { watchPages, type Complaint } from '#e2e/support/page-watch.ts'

type PerTest = {
  /**
   * Set it to true for tests that stop or kill the server, or need an empty one: then each has its own. Starting one
   * takes longer than most tests.
   */
  ownDocket: boolean
  /**
   * More environment for a Docket of one's own; implies `ownDocket`. With `NO_CLUSTER`, it has nothing but this, and so
   * exports the guide.
   */
  docketEnv: Readonly<Record<string, string>>
  /** True in `connected.ts`: the shared Docket is one without an embedded service, which tests connect to others. */
  withServices: boolean
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
  servicesDocket: () => Promise<Docket>
}

/** The embedded service has a site of four pages: the guide takes seconds to export. */
const smallSite = { LOCAL_SITES: `docs.localhost=${join(import.meta.dirname, '..', 'fixture')}` }

/** Starts a Docket with the first test that asks for it, and disposes of it at the end of the worker. */
const shareDocket =
  (env: Readonly<Record<string, string>>) =>
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures from this pattern.
  async ({}, use: (share: () => Promise<Docket>) => Promise<void>): Promise<void> => {
    let shared: Promise<Docket> | undefined
    await use(() => (shared ??= startDocket(env)))
    await (await shared)?.dispose()
  }

const tolerated = new WeakMap<Complaint[], ((complaint: Complaint) => boolean)[]>()

/** Playwright's `test` with a real Docket and pages that may not complain. */
export const test = base.extend<PerTest, PerWorker>({
  ownDocket: [false, { option: true }],
  docketEnv: [{}, { option: true }],
  signedIn: [true, { option: true }],
  withServices: [false, { option: true }],
  workerDocket: [shareDocket(smallSite), { scope: 'worker', timeout: 900_000 }],
  servicesDocket: [shareDocket({ LOCAL_ADMIN_API: 'false' }), { scope: 'worker', timeout: 900_000 }],
  docket: [
    async ({ ownDocket, docketEnv, withServices, workerDocket, servicesDocket }, use, info) => {
      const missing = needsMore(info.file, info.title)
      if (missing !== null) info.skip(true, `a strict service has no ${missing}`)
      const own = ownDocket || Object.keys(docketEnv).length > 0
      const bare = 'ADMIN_API_URL' in docketEnv || 'NO_CLUSTER' in docketEnv
      const docket = own
        ? await startDocket({ ...(!bare && smallSite), ...docketEnv })
        : await (withServices ? servicesDocket : workerDocket)()
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
    async ({ context, docket }, use, info) => {
      await plantFault(context, info.file)
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
