import type { AgentJobGroup } from '@docket/api-types/agent-jobs'
import type { StaticExportGroup } from '@docket/api-types/static-exports'
import {
  createLazyRoute,
  createRootRoute,
  createRoute,
  createRouter,
  redirect,
  retainSearchParams,
  type SearchSchemaInput,
  useRouter,
  Outlet,
} from '@tanstack/react-router'
import type { AuditSearch } from '#features/ground/audit/audit-search.ts'
import { parseListSearch, type ListSearch } from '#lib/address/list-search.ts'
import { parseQuery, pickTexts, printQuery } from '#lib/address/query-string.ts'
import { AuthPages } from './sign-in/auth-frame.tsx'
import { AuthWall } from './sign-in/auth-wall.tsx'
import { pages } from './pages.ts'
import { Button } from '#ui/buttons/button.tsx'
import { Link } from '#ui/links/link.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { useSession } from '#features/people/accounts/session.queries.ts'
import { isSharedAddress } from '#lib/address/own-address.ts'

/** Renders nothing while the page may move to Docket's own address. */
const Root = () => {
  const { isPending } = useSession()
  return isPending && isSharedAddress() ? null : <Outlet />
}

const NotFoundPage = () => (
  <>
    <PageHeader title="Page not found" />
    <p className="text-sm text-muted">
      The address may be mistyped. Go to the{' '}
      <Link to="/" className="text-accent underline underline-offset-2">
        overview
      </Link>
      ,{' '}
      <Link to="/exports" className="text-accent underline underline-offset-2">
        exports
      </Link>{' '}
      or{' '}
      <Link to="/agent-jobs" className="text-accent underline underline-offset-2">
        agent jobs
      </Link>
      .
    </p>
  </>
)

/** Replaces a page that throws or cannot be loaded. */
const ErrorPage = () => {
  const router = useRouter()
  return (
    <div role="alert" className="mx-auto max-w-md py-16 text-center">
      <h1 className="text-xl font-semibold">This page crashed</h1>
      <p className="mt-2 text-sm text-muted">Your exports and jobs aren’t affected. Try again, or reload the page.</p>
      <div className="mt-5 flex justify-center gap-2">
        <Button variant="primary" onClick={() => void router.invalidate()}>
          Try again
        </Button>
        <Button onClick={() => location.reload()}>Reload</Button>
      </div>
    </div>
  )
}

type ExportFilters = Partial<ListSearch<StaticExportGroup, 'oldest' | 'domain'>> & SearchSchemaInput
type JobFilters = Partial<ListSearch<AgentJobGroup, 'oldest' | 'repository'>> & SearchSchemaInput
type AuditFilters = Partial<AuditSearch> & SearchSchemaInput
type AppSearch = { connection?: string | undefined }
type JobSearch = { at?: string } & SearchSchemaInput
type PullFilters = { state?: 'open' | 'merged' | 'closed' | 'all'; before?: number }
type PullSearch = PullFilters & SearchSchemaInput
type StorageSearch = { sort?: string } & SearchSchemaInput
type SitePageSearch = { channel?: string } & SearchSchemaInput
type PreviewSearch = { path?: string; alone?: string } & SearchSchemaInput
type HostedSearch = { hostname?: string; path?: string } & SearchSchemaInput
type SignInSearch = Partial<Record<'returnTo' | 'error', string>> & SearchSchemaInput

/** Loads a page on demand. A failed load can be repeated; `lazyRouteComponent` would reload the document. */
const page = (path: keyof typeof pages) => async () => createLazyRoute('/')({ component: await pages[path]() })
const titled = (title: string) => ({ staticData: { title } })
const parseSignInSearch = (values: object): Record<'returnTo' | 'error', string> =>
  pickTexts({ ...values }, ['returnTo', 'error'])
const pickFilled = <Name extends string>(values: object, names: readonly Name[]): { [key in Name]?: string } =>
  Object.fromEntries(Object.entries(pickTexts({ ...values }, names)).filter(([, text]) => text !== '')) as {
    [key in Name]?: string
  }
const pickText = <Name extends string>(values: object, name: Name) => pickFilled(values, [name])
const parsePullSearch = (values: { state?: unknown; before?: unknown }): PullFilters => {
  const state = (['merged', 'closed', 'all'] as const).find((one) => one === values.state)
  const before = Number(values.before)
  return { ...(state && { state }), ...(Number.isInteger(before) && before > 0 && { before }) }
}
const toConnection = (): void => {
  redirect({ to: '/settings/connection', replace: true, throw: true })
}

const root = createRootRoute({
  component: Root,
  notFoundComponent: () => (
    <AuthWall>
      <NotFoundPage />
    </AuthWall>
  ),
})
const authPages = createRoute({ getParentRoute: () => root, id: 'outside', component: AuthPages })
const outside = { getParentRoute: () => authPages }
const app = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  component: () => <AuthWall />,
  validateSearch: (search: AppSearch & SearchSchemaInput): AppSearch => pickText(search, 'connection'),
  // The connection of the page stays in the address while the reader moves around.
  search: { middlewares: [retainSearchParams<AppSearch>(['connection'])] },
})
const inside = { getParentRoute: () => app }
const exported = createRoute({ ...inside, path: '/exports/$exportId', ...titled('Export') }).lazy(
  page('/exports/$exportId'),
)
const inExport = { getParentRoute: () => exported }
const part = <
  Path extends `/${'pages' | 'findings' | 'changes' | 'changes/page' | 'files' | 'history'}`,
  Name extends string,
>(
  path: Path,
  title: string,
  names: readonly Name[],
) =>
  createRoute({
    ...inExport,
    path,
    ...titled(title),
    validateSearch: (search: { [key in Name]?: string } & SearchSchemaInput): { [key in Name]?: string } =>
      pickFilled(search, names),
  }).lazy(page(`/exports/$exportId${path}`))
const settings = createRoute({ ...inside, path: '/settings' }).lazy(page('/settings'))
const inSettings = { getParentRoute: () => settings }
// Inside the tree they would lose their types.
const noPage = createRoute({ ...inside, path: '/$', ...titled('Not found'), component: NotFoundPage })
const oldConnection = createRoute({ ...inside, path: '/connection', beforeLoad: toConnection })
const oldSettings = createRoute({ ...inSettings, path: '/', beforeLoad: toConnection })

const routeTree = root.addChildren([
  app.addChildren([
    createRoute({ ...inside, path: '/', ...titled('Overview') }).lazy(page('/')),
    createRoute({
      ...inside,
      path: '/exports',
      ...titled('Exports'),
      validateSearch: (search: ExportFilters) => parseListSearch(search),
    }).lazy(page('/exports')),
    exported.addChildren([
      createRoute({ ...inExport, path: '/', ...titled('Export') }).lazy(page('/exports/$exportId/')),
      part('/pages', 'Pages', ['q']),
      part('/findings', 'Findings', ['q', 'level', 'rule', 'state', 'accepted', 'page']),
      part('/changes', 'Changes', ['q', 'against', 'kind']),
      part('/changes/page', 'Changed page', ['address', 'against', 'view']),
      part('/files', 'Files', ['q']),
      part('/history', 'History', []),
    ]),
    createRoute({
      ...inside,
      path: '/exports/$exportId/preview',
      ...titled('Preview'),
      validateSearch: (search: PreviewSearch): { path?: string; alone?: string } => ({
        ...pickText(search, 'path'),
        ...pickText(search, 'alone'),
      }),
    }).lazy(page('/exports/$exportId/preview')),
    createRoute({
      ...inside,
      path: '/hosted',
      ...titled('Hosted site'),
      validateSearch: (search: HostedSearch): { hostname?: string; path?: string } =>
        pickFilled(search, ['hostname', 'path']),
    }).lazy(page('/hosted')),
    createRoute({ ...inside, path: '/domains/$domain', ...titled('Domain') }).lazy(page('/domains/$domain')),
    createRoute({ ...inside, path: '/sites', ...titled('Sites') }).lazy(page('/sites')),
    createRoute({
      ...inside,
      path: '/sites/$siteId',
      ...titled('Site'),
      validateSearch: (search: SitePageSearch): { channel?: string } => pickText(search, 'channel'),
    }).lazy(page('/sites/$siteId')),
    createRoute({ ...inside, path: '/sites/$siteId/settings', ...titled('Site settings') }).lazy(
      page('/sites/$siteId/settings'),
    ),
    createRoute({
      ...inside,
      path: '/agent-jobs',
      ...titled('Agent jobs'),
      validateSearch: (search: JobFilters) => parseListSearch(search),
    }).lazy(page('/agent-jobs')),
    createRoute({ ...inside, path: '/agent-jobs/prompts', ...titled('Saved prompts') }).lazy(
      page('/agent-jobs/prompts'),
    ),
    createRoute({
      ...inside,
      path: '/agent-jobs/$projectId/$jobId',
      ...titled('Agent job'),
      validateSearch: (search: JobSearch): { at?: string } => pickText(search, 'at'),
    }).lazy(page('/agent-jobs/$projectId/$jobId')),
    createRoute({ ...inside, path: '/code', ...titled('Code') }).lazy(page('/code')),
    createRoute({
      ...inside,
      path: '/code/$projectId',
      ...titled('Code'),
      validateSearch: (search: PullSearch) => parsePullSearch(search),
    }).lazy(page('/code/$projectId')),
    createRoute({ ...inside, path: '/code/$projectId/pulls/$number', ...titled('Pull request') }).lazy(
      page('/code/$projectId/pulls/$number'),
    ),
    createRoute({ ...inside, path: '/code/$projectId/commits/$hash', ...titled('Commit') }).lazy(
      page('/code/$projectId/commits/$hash'),
    ),
    createRoute({ ...inside, path: '/activity', ...titled('Activity') }).lazy(page('/activity')),
    createRoute({ ...inside, path: '/availability', ...titled('Availability') }).lazy(page('/availability')),
    noPage,
    oldConnection,
    settings.addChildren([
      oldSettings,
      createRoute({ ...inSettings, path: '/connection', ...titled('Settings') }).lazy(page('/settings/connection')),
      createRoute({ ...inSettings, path: '/connections', ...titled('Connections') }).lazy(
        page('/settings/connections'),
      ),
      createRoute({ ...inSettings, path: '/account', ...titled('Account') }).lazy(page('/settings/account')),
      createRoute({ ...inSettings, path: '/people', ...titled('People') }).lazy(page('/settings/people')),
      createRoute({ ...inSettings, path: '/tokens', ...titled('API tokens') }).lazy(page('/settings/tokens')),
      createRoute({
        ...inSettings,
        path: '/storage',
        ...titled('Storage'),
        validateSearch: (search: StorageSearch): { sort?: string } => pickText(search, 'sort'),
      }).lazy(page('/settings/storage')),
      createRoute({ ...inSettings, path: '/about', ...titled('About') }).lazy(page('/settings/about')),
      createRoute({
        ...inSettings,
        path: '/audit',
        ...titled('Audit'),
        validateSearch: (search: AuditFilters): Partial<AuditSearch> => search,
      }).lazy(page('/settings/audit')),
    ]),
  ]),
  authPages.addChildren([
    createRoute({
      ...outside,
      path: '/sign-in',
      ...titled('Sign in'),
      validateSearch: (search: SignInSearch) => parseSignInSearch(search),
    }).lazy(page('/sign-in')),
    createRoute({ ...outside, path: '/setup', ...titled('Set up') }).lazy(page('/setup')),
    createRoute({ ...outside, path: '/link', ...titled('Welcome') }).lazy(page('/link')),
  ]),
])

export const router = createRouter({
  routeTree,
  caseSensitive: true,
  trailingSlash: 'preserve',
  notFoundMode: 'root',
  parseSearch: parseQuery,
  stringifySearch: printQuery,
  defaultPreload: 'intent',
  defaultErrorComponent: ErrorPage,
  // A new record mounts a new page; a new search keeps it.
  defaultRemountDeps: ({ params }) => params,
})

// The browser restores scrolling on return, and lists restore their own position. Without this option, the router
// scrolls to the top after every navigation. Set any earlier, it would keep positions in the session storage beyond a
// sign-out.
router.update({ ...router.options, scrollRestoration: () => false })

let pathname = router.history.location.pathname
router.history.subscribe(({ location, action }) => {
  const isNew = (action.type === 'PUSH' || action.type === 'REPLACE') && location.pathname !== pathname
  pathname = location.pathname
  if (!isNew) return
  // The previous entry keeps its scroll position.
  router.history.flush()
  scrollTo(0, 0)
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
  interface StaticDataRouteOption {
    title?: string
  }
}
