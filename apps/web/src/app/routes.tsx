import type { AgentJobGroup } from '@docket/api-types/agent-jobs'
import type { StaticExportGroup } from '@docket/api-types/static-exports'
import {
  createLazyRoute,
  createRootRoute,
  createRoute,
  createRouter,
  redirect,
  retainSearchParams,
  useRouter,
  Outlet,
  type AnyRoute,
  type SearchSchemaInput,
} from '@tanstack/react-router'
import type { AuditSearch } from '#features/ground/audit/audit-search.ts'
import { useSession } from '#features/people/accounts/session.queries.ts'
import { parseListSearch, type ListSearch } from '#lib/address/list-search.ts'
import { isSharedAddress } from '#lib/address/own-address.ts'
import { parseQuery, pickTexts, printQuery } from '#lib/address/query-string.ts'
import { Button } from '#ui/buttons/button.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { Link } from '#ui/links/link.tsx'
import { findMovedPage, findMovedSearch } from './moved-pages.ts'
import { pages } from './pages.ts'
import { AuthPages } from './sign-in/auth-frame.tsx'
import { AuthWall } from './sign-in/auth-wall.tsx'

/** Renders nothing while the page may move to Docket's own address. */
const RootPage = () => {
  const { isPending } = useSession()
  return isPending && isSharedAddress() ? null : <Outlet />
}

const NotFoundPage = () => (
  <>
    <PageHeader title="Page not found" />
    <p className="text-sm text-muted">
      The address may be mistyped. Go to the{' '}
      <Link to="/" className="text-accent underline underline-offset-2">
        sites
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
type PullFilters = { state?: 'open' | 'merged' | 'closed' | 'all'; before?: number }
type PullSearch = PullFilters & SearchSchemaInput
type SignInSearch = Partial<Record<'returnTo' | 'error', string>> & SearchSchemaInput

/** Loads a page on demand. A failed load can be repeated; `lazyRouteComponent` would reload the document. */
const loadPageRoute = (path: keyof typeof pages) => async () => createLazyRoute('/')({ component: await pages[path]() })
const withTitle = (title: string) => ({ staticData: { title } })
const parseSignInSearch = (values: object): Record<'returnTo' | 'error', string> =>
  pickTexts({ ...values }, ['returnTo', 'error'])
const pickFilledTexts = <Name extends string>(values: object, names: readonly Name[]): { [key in Name]?: string } =>
  Object.fromEntries(Object.entries(pickTexts({ ...values }, names)).filter(([, text]) => text !== '')) as {
    [key in Name]?: string
  }
const parsePullSearch = (values: { state?: unknown; before?: unknown }): PullFilters => {
  const state = (['merged', 'closed', 'all'] as const).find((one) => one === values.state)
  const before = Number(values.before)
  return { ...(state && { state }), ...(Number.isInteger(before) && before > 0 && { before }) }
}

type PathBelow<Prefix extends string> = keyof typeof pages extends infer Path
  ? Path extends `${Prefix}${infer Rest}`
    ? Rest
    : never
  : never

/** Creates routes below a parent, whose whole path is `prefix`. `names` are the texts that the page keeps in the address. */
const routesBelow =
  <Parent extends AnyRoute, Prefix extends string>(getParentRoute: () => Parent, prefix: Prefix) =>
  <Path extends PathBelow<Prefix>, Name extends string = never>(
    path: Path,
    title: string,
    names: readonly Name[] = [],
  ) =>
    createRoute({
      getParentRoute,
      path,
      ...withTitle(title),
      validateSearch: (search: { [key in Name]?: string } & SearchSchemaInput): { [key in Name]?: string } =>
        pickFilledTexts(search, names),
    }).lazy(loadPageRoute(`${prefix}${path}` as keyof typeof pages))

const root = createRootRoute({
  component: RootPage,
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
  validateSearch: (search: AppSearch & SearchSchemaInput): AppSearch => pickFilledTexts(search, ['connection']),
  // The connection of the page stays in the address while the reader moves around.
  search: { middlewares: [retainSearchParams<AppSearch>(['connection'])] },
  beforeLoad: ({ location: { pathname, search, hash } }) => {
    const to = findMovedPage(pathname)
    if (to === pathname) return
    redirect({ to, search: { ...search, ...findMovedSearch(pathname) }, hash, replace: true, throw: true })
  },
})
const inside = { getParentRoute: () => app }
const insidePage = routesBelow(() => app, '')
const exported = createRoute({ ...inside, path: '/exports/$exportId', ...withTitle('Export') }).lazy(
  loadPageRoute('/exports/$exportId'),
)
const exportPage = routesBelow(() => exported, '/exports/$exportId')
const site = createRoute({ ...inside, path: '/sites/$siteId', ...withTitle('Site') }).lazy(
  loadPageRoute('/sites/$siteId'),
)
const sitePage = routesBelow(() => site, '/sites/$siteId')
const settings = createRoute({ ...inside, path: '/settings' }).lazy(loadPageRoute('/settings'))
const inSettings = { getParentRoute: () => settings }
const settingsPage = routesBelow(() => settings, '/settings')
// Inside the route tree, the routes would lose their types.
const noPage = createRoute({ ...inside, path: '/$', ...withTitle('Not found'), component: NotFoundPage })

const routeTree = root.addChildren([
  app.addChildren([
    insidePage('/', 'Sites'),
    createRoute({
      ...inside,
      path: '/exports',
      ...withTitle('Exports'),
      validateSearch: (search: ExportFilters) => parseListSearch(search),
    }).lazy(loadPageRoute('/exports')),
    exported.addChildren([
      exportPage('/', 'Export'),
      exportPage('/contents', 'Contents', ['show', 'q']),
      exportPage('/findings', 'Findings', ['q', 'level', 'rule', 'state', 'accepted', 'page']),
      exportPage('/changes', 'Changes', ['q', 'against', 'kind']),
      exportPage('/changes/page', 'Changed page', ['address', 'against', 'view']),
      exportPage('/history', 'History', []),
    ]),
    insidePage('/exports/$exportId/preview', 'Preview', ['path', 'alone']),
    insidePage('/hosted', 'Hosted site', ['hostname', 'path']),
    insidePage('/domains/$domain', 'Domain'),
    site.addChildren([
      sitePage('/', 'Site'),
      sitePage('/releases', 'Releases'),
      sitePage('/delivery', 'Delivery', ['channel']),
      sitePage('/trends', 'Trends'),
      sitePage('/settings', 'Settings'),
    ]),
    createRoute({
      ...inside,
      path: '/agent-jobs',
      ...withTitle('Agent jobs'),
      validateSearch: (search: JobFilters) => parseListSearch(search),
    }).lazy(loadPageRoute('/agent-jobs')),
    insidePage('/agent-jobs/pulls', 'Pull requests'),
    insidePage('/agent-jobs/prompts', 'Saved prompts'),
    insidePage('/agent-jobs/$projectId/$jobId', 'Agent job', ['at']),
    createRoute({
      ...inside,
      path: '/code/$projectId',
      ...withTitle('Code'),
      validateSearch: (search: PullSearch) => parsePullSearch(search),
    }).lazy(loadPageRoute('/code/$projectId')),
    insidePage('/code/$projectId/pulls/$number', 'Pull request'),
    insidePage('/code/$projectId/commits/$hash', 'Commit'),
    insidePage('/activity', 'Activity'),
    insidePage('/account', 'Account'),
    noPage,
    settings.addChildren([
      settingsPage('/connections', 'Connections'),
      settingsPage('/people', 'People'),
      settingsPage('/tokens', 'API tokens'),
      settingsPage('/storage', 'Storage', ['sort']),
      settingsPage('/about', 'About'),
      createRoute({
        ...inSettings,
        path: '/audit',
        ...withTitle('Audit'),
        validateSearch: (search: AuditFilters): Partial<AuditSearch> => search,
      }).lazy(loadPageRoute('/settings/audit')),
    ]),
  ]),
  authPages.addChildren([
    createRoute({
      ...outside,
      path: '/sign-in',
      ...withTitle('Sign in'),
      validateSearch: (search: SignInSearch) => parseSignInSearch(search),
    }).lazy(loadPageRoute('/sign-in')),
    createRoute({ ...outside, path: '/setup', ...withTitle('Set up') }).lazy(loadPageRoute('/setup')),
    createRoute({ ...outside, path: '/link', ...withTitle('Welcome') }).lazy(loadPageRoute('/link')),
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
