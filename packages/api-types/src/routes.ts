import type { z } from 'zod'
import { auditRoutes } from './ground/audit-routes.ts'
import { anyone, browser, viewerInScope, type Route } from './ground/route.ts'
import { accountRoutes } from './people/account-routes.ts'
import { peopleRoutes } from './people/people-routes.ts'
import { connectionRoutes } from './service/connection-routes.ts'
import { agentJobRoutes } from './records/agent-job-routes.ts'
import { codeHostRoutes } from './records/code-host-routes.ts'
import { staticExportRoutes } from './records/static-export-routes.ts'
import { bundleRoutes } from './bundles/bundle-routes.ts'
import { siteRoutes } from './releases/site-routes.ts'
import { targetRoutes } from './releases/target-routes.ts'
import { overviewRoutes } from './overview/overview-routes.ts'
import { processRoutes } from './process/process-routes.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** Every route that the web app may call, with its access. The server declares its routes from this table. */
export const routes = {
  ...accountRoutes,
  ...peopleRoutes,
  ...auditRoutes,
  ...connectionRoutes,
  ...staticExportRoutes,
  ...agentJobRoutes,
  ...codeHostRoutes,
  ...bundleRoutes,
  ...siteRoutes,
  ...targetRoutes,
  ...overviewRoutes,
  ...processRoutes,
} satisfies Record<`${Method} /api/${string}`, Route>

/** Routes that the web app never calls. */
export const otherRoutes = {
  'GET /livez': anyone('Whether the process runs', 'It runs.'),
  'GET /readyz': anyone('Whether this process takes requests', 'It does.'),
  'GET /here': anyone('Whether the browser reaches Docket under its own name', 'It does.'),
  'GET /sites/{label}/{channel}/bundle.tar.gz': anyone('The bundle that a channel shows', 'Its address.', {
    page: '/',
  }),
  'GET /sites/{label}/{channel}/bundle.zip': anyone('The bundle that a channel shows, as a ZIP', 'Its address.', {
    page: '/',
  }),
  'GET /sites/{label}/{channel}/bundle.sha256': anyone('The sum of the bundle that a channel shows', 'One line.', {
    page: '/',
  }),
  'GET /bundles/sha256/{sum}/{file}': anyone('A bundle that a channel shows or showed', 'The file.', {
    page: '/',
    audit: 'bundle.downloaded',
  }),
  'GET /git/{repository}/info/refs': viewerInScope('The branches of a repository, for git', 'As git reads them.'),
  'POST /git/{repository}/git-upload-pack': viewerInScope('The commits that git asks for', 'As git reads them.'),
  'GET /api/openapi.json': viewerInScope('This description, generated from the routes themselves', 'OpenAPI 3.1.'),
  'POST /api/auth/oidc/backchannel-logout': browser(
    'Where the provider says that somebody signed out there',
    'Their sessions have ended.',
    { audit: 'session.revoked' },
  ),
  'GET /api/auth/oidc/callback': browser(
    'Where the provider sends the browser back to',
    'To the page where it began, or to `/sign-in?error=…` with one of a few words.',
    {
      audit: [
        'session.revoked',
        'session.signed_in',
        'user.changed_role',
        'user.created',
        'user.linked',
        'user.passkey_removed',
        'user.password_changed',
        'user.renamed',
      ],
    },
  ),
} satisfies Record<`${Method} /${string}`, Route>

type Routes = typeof routes

/** Paths that take this method, of routes with these parts. */
export type RoutePath<M extends Method, Parts = object> = {
  [K in keyof Routes]: K extends `${M} ${infer P}` ? (Routes[K] extends Parts ? P : never) : never
}[keyof Routes]

export type PathParam<P> = P extends `${string}{${infer Name}}${infer Rest}` ? Name | PathParam<Rest> : never

/** The route of a method and path. */
export type RouteAt<M extends Method, P> = `${M} ${P & string}` extends infer K extends keyof Routes ? Routes[K] : never

type Query<T> = Partial<T> extends T ? { query?: T } : { query: T }

export type RouteRequest<M extends Method, P extends RoutePath<M>> = ([PathParam<P>] extends [never]
  ? { params?: never }
  : { params: Record<PathParam<P>, string> }) &
  (RouteAt<M, P> extends { query: infer S extends z.ZodType } ? Query<z.input<S>> : { query?: never }) &
  (RouteAt<M, P> extends { body: infer S extends z.ZodType } ? { body: z.input<S> } : { body?: never })

export type RouteResponse<M extends Method, P extends RoutePath<M>> =
  RouteAt<M, P> extends { response: infer S extends z.ZodType } ? z.output<S> : void
