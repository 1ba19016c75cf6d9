import { lazy, useState, type ComponentType } from 'react'
import { matchPath, type ParamsOf } from '#lib/location.ts'

type Page = ComponentType<Record<string, string>>
type Route = { path: string; title: string; load: () => Promise<unknown>; Page: Page }

const route = <Path extends string>(
  path: Path,
  title: string,
  load: () => Promise<ComponentType<ParamsOf<Path> & object>>,
): Route => {
  let loaded: Page | undefined
  const loadOnce = async (): Promise<Page> => {
    // The parameters a page asks for are those of its path; that much is checked by the signature above.
    loaded ??= (await load()) as unknown as Page
    return loaded
  }
  const Later = lazy(async () => ({ default: await loadOnce() }))
  const Either: Page = (params) => {
    // What is here already is shown at once: by way of a promise an empty page is painted first, and the page up to 300 ms later.
    const [Shown] = useState<Page>(() => loaded ?? Later)
    return <Shown {...params} />
  }
  return { path, title, load: loadOnce, Page: Either }
}

/** Every address of the web app. */
const routes = [
  route('/', 'Overview', async () => (await import('./pages/home-page.tsx')).HomePage),
  route('/exports', 'Exports', async () => (await import('./pages/exports-page.tsx')).ExportsPage),
  route('/exports/:exportId', 'Export', async () => (await import('./pages/export-page.tsx')).ExportPage),
  route('/agent-jobs', 'Agent jobs', async () => (await import('./pages/agent-jobs-page.tsx')).AgentJobsPage),
  route(
    '/agent-jobs/:projectId/:jobId',
    'Agent job',
    async () => (await import('./pages/agent-job-page.tsx')).AgentJobPage,
  ),
  route('/availability', 'Availability', async () => (await import('./pages/availability-page.tsx')).AvailabilityPage),
  route('/settings/connection', 'Settings', async () => (await import('./pages/settings-page.tsx')).SettingsPage),
  route('/settings/account', 'Account', async () => (await import('./pages/account-page.tsx')).AccountPage),
  route('/settings/people', 'People', async () => (await import('./pages/people-page.tsx')).PeoplePage),
  route('/sign-in', 'Sign in', async () => (await import('./pages/sign-in-page.tsx')).SignInPage),
  route('/setup', 'Set up', async () => (await import('./pages/setup-page.tsx')).SetupPage),
  route('/link', 'Welcome', async () => (await import('./pages/link-page.tsx')).LinkPage),
  route('/settings/tokens', 'API tokens', async () => (await import('./pages/tokens-page.tsx')).TokensPage),
  route('/settings/audit', 'Audit', async () => (await import('./pages/audit-page.tsx')).AuditPage),
  route('/settings', 'Settings', async () => (await import('./pages/moved-page.tsx')).ConnectionMoved),
  route('/connection', 'Settings', async () => (await import('./pages/moved-page.tsx')).ConnectionMoved),
]

/** The page at an address with its parameters; null when there is none. */
export const routeAt = (pathname: string): (Route & { params: Record<string, string> }) | null => {
  for (const found of routes) {
    const params = matchPath(found.path, pathname)
    if (params) return { ...found, params }
  }
  return null
}

/** Brings the page at an address here. One that cannot come is met again when it is shown. */
export const loadPage = async (pathname: string): Promise<void> => {
  await routeAt(pathname)
    ?.load()
    .catch(() => undefined)
}

/** Brings every page here, so that they open at once, also when the server is gone by then. */
export const loadAllPages = (): void => {
  for (const { load } of routes) load().catch(() => undefined)
}
