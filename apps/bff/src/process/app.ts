import { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { oidcLogoutRoutes, oidcRoutes } from '#people/accounts/oidc/oidc.routes.ts'
import { peopleRoutes } from '#people/people.routes.ts'
import { ensureExportInScope } from '#records/static-exports/read-exports.ts'
import { ensureJobInScope } from '#records/agent-jobs/read-jobs.ts'
import { agentPromptRoutes } from '#records/agent-jobs/prompts/agent-prompts.routes.ts'
import { agentJobRoutes } from '#records/agent-jobs/agent-jobs.routes.ts'
import { copyRoutes } from '#bundles/retention/copies.routes.ts'
import { uploadRoutes } from '#bundles/storing/upload.routes.ts'
import { artifactRoutes } from '#bundles/artifacts.routes.ts'
import { auditRoutes } from '#ground/audit/audit.routes.ts'
import { noteRefused } from '#ground/audit/refusals.ts'
import { bundleAddressPaths, bundleAddressRoutes } from '#bundles/download/bundle-addresses.routes.ts'
import { bundleRoutes } from '#bundles/download/bundles.routes.ts'
import { createDownloadStreams } from '#bundles/download/send-download.ts'
import { codeHostRoutes } from '#records/code-host/code-host.routes.ts'
import { gitRoutes, readGitCredentials } from '#records/code-host/git.routes.ts'
import type { RecordName } from '#service/polling/viewers.ts'
import { connectionRoutes } from '#service/connection-settings/connection-settings.routes.ts'
import { isDatabaseUnavailable } from '#ground/db/unavailable.ts'
import { accessControl, checkAccess } from '#ground/http/access/access.ts'
import { guardRecordsWithinScope } from '#ground/http/access/records-within-scope.ts'
import type { AppEnv } from '#ground/http/app-env.ts'
import { AppError } from '#ground/errors/app-error.ts'
import { isUpload, limitBody } from '#ground/http/server/body-limit.ts'
import { createAddressReader, type TrustedProxies } from '#ground/http/limits/client-address.ts'
import { leadToPage } from '#ground/http/access/lead-to-page.ts'
import { limitEachNetwork } from '#ground/http/limits/fair-share.ts'
import { createHealthRoutes } from '#ground/http/health.ts'
import { identifyCaller } from '#ground/http/access/identity.ts'
import { onError } from '#ground/http/on-error.ts'
import { describeApi, apiRoutes } from '#ground/http/api-routes.ts'
import { createConditionalGet, type ConditionalGet } from '#ground/http/conditional-get/conditional-get.ts'
import { setRequestContext, type Answered } from '#ground/http/request-context.ts'
import { serveHere, requireOwnHost, requireSameOrigin } from '#ground/http/access/same-origin.ts'
import type { OwnHosts } from '#ground/http/access/own-hosts.ts'
import { setSecurityHeaders } from '#ground/http/security-headers.ts'
import { createShedding, type Shedding } from '#ground/http/limits/shed-load.ts'
import type { Log } from '#ground/log/log.ts'
import type { Areas } from './areas.ts'
import { overviewRoutes } from '#overview/overview.routes.ts'
import { releaseRoutes } from '#releases/releases.routes.ts'
import { staticExportRoutes } from '#records/static-exports/static-exports.routes.ts'

const processRoutes = ({ disks, backups }: Pick<Areas, 'disks' | 'backups'>) =>
  apiRoutes()
    .serve('GET /api/disks', () => ({ volumes: disks.list() }))
    .serve('GET /api/backups', () => backups.report())
    .serve('POST /api/backups', ({ by }) => backups.request(by))

const maxBodyBytes = 65_536
/** Maximum number of concurrent requests from one network. Even an office behind one address makes fewer. */
const maxFromOneNetwork = 96

const throwNotFound = () => {
  throw new AppError('not_found', 'There is nothing at this address.')
}

/** The whole HTTP surface: the middleware that every request passes, in order, and the routes that answer it. */
export const createDocketApp = (
  services: Areas,
  options: {
    version: string
    log: Log
    hosts: OwnHosts
    trustedProxies?: TrustedProxies
    pingDatabase: () => Promise<void>
    draining?: () => boolean
    shed?: Shedding
    polled?: ConditionalGet
    onAnswer?: (answered: Answered) => void
    webApp: (c: Context<AppEnv>) => Promise<Response>
  },
) => {
  const app = new OpenAPIHono<AppEnv>()
  app.onError(onError(isDatabaseUnavailable, noteRefused(services.refusals)))
  app.notFound(throwNotFound)

  const {
    log,
    hosts,
    pingDatabase,
    draining = () => false,
    trustedProxies = [],
    onAnswer,
    shed = createShedding(log),
    polled = createConditionalGet(),
  } = options
  app.use(
    setRequestContext(log, { draining, ...(onAnswer === undefined ? {} : { onAnswer }) }),
    setSecurityHeaders(hosts, services.previews.hosts.frameSources),
  )
  app.route('/', createHealthRoutes({ pingDatabase, draining }))
  app.use('/api/*', shed.middleware)
  app.use('/git/*', shed.middleware)
  app.use(requireOwnHost(hosts), createAddressReader(trustedProxies))
  app.route('/', serveHere(hosts))
  app.use('/api/*', limitEachNetwork(maxFromOneNetwork))
  app.use(
    '/git/*',
    limitEachNetwork(maxFromOneNetwork),
    identifyCaller(services.people.identify, readGitCredentials),
    accessControl,
  )
  // Placed before the CSRF check, because git is not a web page and these routes ignore cookies.
  app.route('/', gitRoutes(services.records))
  app.all('/git/*', throwNotFound)
  app.use('/api/*', leadToPage, identifyCaller(services.people.identify))
  // Before the CSRF check, like git: the provider calls it, and it ignores cookies.
  app.use('/api/auth/oidc/backchannel-logout', accessControl, limitBody(maxBodyBytes))
  app.route('/', oidcLogoutRoutes(services.people))
  app.use(requireSameOrigin(hosts))
  app.use('/api/*', accessControl, limitBody(maxBodyBytes, isUpload))
  const stream = createDownloadStreams()
  const guardAddresses = [
    shed.middleware,
    limitEachNetwork(maxFromOneNetwork),
    leadToPage,
    identifyCaller(services.people.identify),
  ] as const
  for (const path of Object.values(bundleAddressPaths)) app.use(path, ...guardAddresses, accessControl)
  app.route('/', bundleAddressRoutes(services.bundles.ctx, stream))
  const { people, records, viewers, bundles } = services
  app.route(
    '/',
    guardRecordsWithinScope({
      export: (exportId, scope) => ensureExportInScope(records, exportId, scope),
      job: (job, scope) => ensureJobInScope(records, job, scope),
    }),
  )

  const viewExports = (names: readonly RecordName[]) => viewers.note('static_exports', names)
  for (const routes of [
    peopleRoutes(people),
    oidcRoutes(people),
    auditRoutes(people),
    overviewRoutes(services.overview, polled, viewExports),
    connectionRoutes(services.service),
    codeHostRoutes(records, polled),
    staticExportRoutes(records, polled, viewExports),
    copyRoutes(bundles.ctx, records),
    uploadRoutes(bundles.upload, records),
    processRoutes(services),
    artifactRoutes(bundles.ctx),
    bundleRoutes(bundles.downloads, stream),
    releaseRoutes(services),
    agentJobRoutes(records, polled, (names) => viewers.note('agent_jobs', names)),
    agentPromptRoutes(records, polled),
  ])
    app.route('/', routes)
  describeApi(app, options.version)
  checkAccess(app)

  app.all('/api/*', throwNotFound)
  app.get('*', (c) => options.webApp(c))
  return app
}
