import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { ErrorPage } from './error-page.tsx'
import { NotFoundPage } from './not-found-page.tsx'
import { Shell } from './shell.tsx'

/** State of a list in its address: what it is filtered by. */
type ListSearch = { q?: string }

const listSearch = (search: Record<string, unknown>): ListSearch =>
  typeof search['q'] === 'string' && search['q'] !== '' ? { q: search['q'] } : {}

const root = createRootRoute({ component: Shell, notFoundComponent: NotFoundPage, errorComponent: ErrorPage })

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: lazyRouteComponent(() => import('./pages/home-page.tsx'), 'HomePage'),
})
const exports = createRoute({
  getParentRoute: () => root,
  path: '/exports',
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import('./pages/exports-page.tsx'), 'ExportsPage'),
})
const oneExport = createRoute({
  getParentRoute: () => root,
  path: '/exports/$exportId',
  component: lazyRouteComponent(() => import('./pages/export-page.tsx'), 'ExportPage'),
})
const agentJobs = createRoute({
  getParentRoute: () => root,
  path: '/agent-jobs',
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import('./pages/agent-jobs-page.tsx'), 'AgentJobsPage'),
})
const oneAgentJob = createRoute({
  getParentRoute: () => root,
  path: '/agent-jobs/$projectId/$jobId',
  component: lazyRouteComponent(() => import('./pages/agent-job-page.tsx'), 'AgentJobPage'),
})
const availability = createRoute({
  getParentRoute: () => root,
  path: '/availability',
  component: lazyRouteComponent(() => import('./pages/availability-page.tsx'), 'AvailabilityPage'),
})
const connection = createRoute({
  getParentRoute: () => root,
  path: '/connection',
  component: lazyRouteComponent(() => import('./pages/connection-page.tsx'), 'ConnectionPage'),
})

/** Every address of the web app. */
export const router = createRouter({
  routeTree: root.addChildren([home, exports, oneExport, agentJobs, oneAgentJob, availability, connection]),
  defaultPreload: 'intent',
  defaultErrorComponent: ErrorPage,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
