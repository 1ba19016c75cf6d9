import type { Role } from '@docket/api-types/session'
import type { Hono, Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { matchedRoutes } from 'hono/route'
import type { AppEnv } from '#ground/http/app-env.ts'
import { AppError } from '#ground/errors/app-error.ts'
import type { Identity } from '#ground/identity/identity.ts'
import { includesRole } from '@docket/api-types/roles'
import { targetAccess } from './target-access.ts'
import { mayNotPrompt } from './may-prompt.ts'
import { isRestricted } from './token-scope.ts'
import {
  anyone,
  browser,
  viewer,
  operator,
  person,
  auditor,
  looking,
  admin,
  ofSites,
  withinScope,
  prompting,
  recordWithinScope,
  type Rule,
} from './rules.ts'

/** Access to every route. Docket does not start when this table and the served routes differ. */
export const access: Readonly<Record<string, Rule>> = {
  'GET /livez': anyone,
  'GET /readyz': anyone,
  'GET /here': anyone,
  ...Object.fromEntries(['tar.gz', 'zip', 'sha256'].map((one) => [`GET /sites/:label/:channel/bundle.${one}`, anyone])),
  'GET /bundles/sha256/:sum/:file': anyone,
  'GET /api/openapi.json': withinScope(viewer),
  'GET /api/session': anyone,
  'DELETE /api/session': browser,
  'POST /api/session': browser,
  'POST /api/account/sessions/handover': person,
  'POST /api/setup': browser,
  'POST /api/setup/check': browser,
  'POST /api/auth/sign-in/password': browser,
  'POST /api/links/read': browser,
  'POST /api/links/use': browser,
  'PATCH /api/account': person,
  'POST /api/account/password': person,
  'POST /api/account/read-news': person,
  'GET /api/account/sessions': person,
  'DELETE /api/account/sessions': person,
  'DELETE /api/account/sessions/:sessionId': person,
  'GET /api/views': person,
  'POST /api/views': person,
  'PATCH /api/views/:viewId': person,
  'DELETE /api/views/:viewId': person,
  'GET /api/about': person,
  'POST /api/hosted-sites/open': person,
  'GET /api/users': admin,
  'POST /api/users/invitations': admin,
  'DELETE /api/users/invitations/:invitationId': admin,
  'PATCH /api/users/:userId': admin,
  'DELETE /api/users/:userId': admin,
  'POST /api/users/:userId/password-link': admin,
  'GET /api/users/:userId/sessions': admin,
  'DELETE /api/users/:userId/sessions': admin,
  'GET /api/grants': admin,
  'POST /api/grants': admin,
  'DELETE /api/grants/:grantId': admin,
  'GET /api/site-grants': admin,
  'POST /api/site-grants': admin,
  'DELETE /api/site-grants/:grantId': admin,
  'POST /api/auth/second-factor': browser,
  'POST /api/auth/passkey/options': browser,
  'POST /api/auth/passkey/sign-in': browser,
  'POST /api/auth/oidc': browser,
  'GET /api/auth/oidc/callback': browser,
  'POST /api/account/second-factor/begin': person,
  'POST /api/account/second-factor/confirm': person,
  'POST /api/account/second-factor/remove': person,
  'GET /api/account/passkeys': person,
  'POST /api/account/passkeys': person,
  'POST /api/account/passkeys/options': person,
  'DELETE /api/account/passkeys/:passkeyId': person,
  'GET /api/status': withinScope(viewer),
  // Lists the next reads of every record.
  'GET /api/connection': viewer,
  'POST /api/connection/resume': admin,
  'GET /api/connections': admin,
  'POST /api/connections': admin,
  'PATCH /api/connections/:connectionId': admin,
  'DELETE /api/connections/:connectionId': admin,
  'POST /api/connections/:connectionId/check': admin,
  'POST /api/connections/:connectionId/move-records': admin,
  'POST /api/connections/:connectionId/code-hosts': admin,
  'PATCH /api/connections/:connectionId/code-hosts/:codeHostId': admin,
  'DELETE /api/connections/:connectionId/code-hosts/:codeHostId': admin,
  'POST /api/connections/:connectionId/code-hosts/:codeHostId/check': admin,
  'GET /api/projects': withinScope(viewer),
  'POST /api/projects': withinScope(operator),
  'GET /api/code-host': withinScope(viewer),
  'GET /api/code-host/:projectId': withinScope(viewer),
  'GET /api/code-host/:projectId/commits/:hash': withinScope(viewer),
  'GET /api/code-host/:projectId/pulls/:number': withinScope(viewer),
  'POST /api/code-host/:projectId/pulls/:number/merge': withinScope(operator),
  'POST /api/code-host/:projectId/pulls/:number/close': withinScope(operator),
  'POST /api/code-host/:projectId/pulls/:number/reopen': withinScope(operator),
  'POST /api/code-host/:projectId/pulls/:number/delete-branch': withinScope(operator),
  'POST /api/code-host/:projectId/folder': withinScope(operator),
  'GET /git/:repository/info/refs': withinScope(viewer),
  'POST /git/:repository/git-upload-pack': withinScope(viewer),
  'GET /api/audit': auditor,
  'GET /api/audit/export': auditor,
  'GET /api/audit/verify': auditor,
  'GET /api/activity': withinScope(viewer),
  'GET /api/static-exports': withinScope(viewer),
  'GET /api/static-exports/filters': withinScope(viewer),
  'GET /api/static-exports/export.csv': withinScope(viewer),
  'GET /api/static-exports/checks': withinScope(viewer),
  'GET /api/static-exports/statistics': withinScope(viewer),
  'POST /api/static-exports': withinScope(operator),
  // The service does not say which domain a jobId belongs to (Admin API §4.3), so a restricted token could guess its
  // way to any bundle.
  'POST /api/static-exports/import': operator,
  'POST /api/static-exports/upload': operator,
  'GET /api/storage': admin,
  'POST /api/storage/decisions': admin,
  'GET /api/disks': admin,
  'GET /api/workload': viewer,
  'GET /api/workload/processes': admin,
  'GET /api/backups': admin,
  'POST /api/backups': admin,
  'GET /api/static-exports/:exportId': recordWithinScope(viewer),
  'GET /api/static-exports/:exportId/history': recordWithinScope(viewer),
  'DELETE /api/static-exports/:exportId': recordWithinScope(operator),
  'POST /api/static-exports/:exportId/restore': recordWithinScope(operator),
  'PATCH /api/static-exports/:exportId': recordWithinScope(operator),
  'POST /api/static-exports/:exportId/dismiss': recordWithinScope(operator),
  'DELETE /api/static-exports/:exportId/dismiss': recordWithinScope(operator),
  'POST /api/static-exports/:exportId/attach': operator,
  'POST /api/static-exports/:exportId/check': recordWithinScope(operator),
  'POST /api/static-exports/:exportId/cancel': recordWithinScope(operator),
  'POST /api/static-exports/:exportId/bundle': recordWithinScope(operator),
  'POST /api/static-exports/:exportId/bundle/prepare': recordWithinScope(operator),
  'POST /api/static-exports/:exportId/artifact': recordWithinScope(operator),
  'DELETE /api/static-exports/:exportId/artifact': recordWithinScope(operator),
  'POST /api/static-exports/:exportId/artifact/keep': recordWithinScope(operator),
  'DELETE /api/static-exports/:exportId/artifact/keep': recordWithinScope(operator),
  // Viewers download what a channel shows.
  'GET /api/static-exports/:exportId/download': recordWithinScope(viewer),
  'POST /api/static-exports/:exportId/artifact/previews': looking,
  'GET /api/static-exports/:exportId/artifact/previews/:previewId': looking,
  'DELETE /api/static-exports/:exportId/artifact/previews/:previewId': looking,
  'GET /api/static-exports/:exportId/artifact/changes': recordWithinScope(viewer),
  'GET /api/static-exports/:exportId/artifact/changes/page': recordWithinScope(viewer),
  'GET /api/static-exports/:exportId/artifact/changes/note': recordWithinScope(viewer),
  'GET /api/static-exports/:exportId/artifact/host-configuration': recordWithinScope(viewer),
  'GET /api/static-exports/:exportId/artifact/pages': recordWithinScope(viewer),
  'GET /api/static-exports/:exportId/artifact/files': recordWithinScope(viewer),
  'GET /api/static-exports/:exportId/artifact/findings': recordWithinScope(viewer),
  'GET /api/static-exports/:exportId/artifact/findings.csv': recordWithinScope(viewer),
  'GET /api/static-exports/:exportId/artifact/findings.json': recordWithinScope(viewer),
  'POST /api/static-exports/:exportId/artifact/findings/:fingerprint/acceptance': recordWithinScope(operator),
  'DELETE /api/static-exports/:exportId/artifact/findings/:fingerprint/acceptance': recordWithinScope(operator),
  'GET /api/static-exports/:exportId/download/zip': recordWithinScope(viewer),
  'GET /api/static-exports/:exportId/download/sha256': recordWithinScope(viewer),
  'GET /api/static-exports/:exportId/artifact/file': recordWithinScope(viewer),
  'GET /api/static-exports/:exportId/site': recordWithinScope(viewer),
  'GET /api/proposals': ofSites,
  'GET /api/sites': ofSites,
  'GET /api/sites/:siteId': ofSites,
  'PATCH /api/sites/:siteId': ofSites,
  'GET /api/sites/:siteId/artifacts': ofSites,
  'POST /api/sites/:siteId/join': ofSites,
  'POST /api/sites/:siteId/separate': ofSites,
  'POST /api/sites/:siteId/channels': ofSites,
  'PATCH /api/sites/:siteId/channels/:channelId': ofSites,
  'DELETE /api/sites/:siteId/channels/:channelId': ofSites,
  'GET /api/sites/:siteId/channels/:channelId/gate': ofSites,
  'POST /api/sites/:siteId/channels/:channelId/proposals': ofSites,
  'DELETE /api/sites/:siteId/channels/:channelId/proposals/:proposalId': ofSites,
  'POST /api/sites/:siteId/channels/:channelId/proposals/:proposalId/approval': ofSites,
  'DELETE /api/sites/:siteId/channels/:channelId/proposals/:proposalId/approval': ofSites,
  'GET /api/sites/:siteId/channels/:channelId/releases': ofSites,
  'POST /api/sites/:siteId/channels/:channelId/releases': ofSites,
  'POST /api/sites/:siteId/channels/:channelId/rollback': ofSites,
  'POST /api/sites/:siteId/channels/:channelId/pin': ofSites,
  'DELETE /api/sites/:siteId/channels/:channelId/pin': ofSites,
  ...targetAccess,
  'GET /api/agent-jobs': withinScope(viewer),
  'GET /api/agent-jobs/filters': withinScope(viewer),
  'GET /api/agent-jobs/export.csv': withinScope(viewer),
  'GET /api/agent-jobs/checks': withinScope(viewer),
  'POST /api/agent-jobs': withinScope(operator),
  // It calls the service, so it takes whoever may follow.
  'GET /api/agent-jobs/listed': withinScope(operator),
  'GET /api/agent-jobs/:projectId/:id': recordWithinScope(viewer),
  'GET /api/agent-jobs/:projectId/:id/history': recordWithinScope(viewer),
  'DELETE /api/agent-jobs/:projectId/:id': recordWithinScope(operator),
  'POST /api/agent-jobs/:projectId/:id/restore': recordWithinScope(operator),
  'PATCH /api/agent-jobs/:projectId/:id': recordWithinScope(operator),
  'POST /api/agent-jobs/:projectId/:id/dismiss': recordWithinScope(operator),
  'DELETE /api/agent-jobs/:projectId/:id/dismiss': recordWithinScope(operator),
  'POST /api/agent-jobs/:projectId/:id/check': recordWithinScope(operator),
  'GET /api/agent-jobs/:projectId/:id/log': recordWithinScope(viewer),
  'GET /api/agent-jobs/:projectId/:id/changes': recordWithinScope(viewer),
  'POST /api/agent-jobs/:projectId/:id/cancel': recordWithinScope(operator),
  'POST /api/agent-jobs/:projectId/:id/archive': recordWithinScope(operator),
  'POST /api/agent-jobs/:projectId/:id/retry': prompting(recordWithinScope(operator)),
  'POST /api/agent-jobs/:projectId/:id/pull-request': recordWithinScope(operator),
  // A job is created in a project, so a token restricted to that project may create it.
  'GET /api/agent-prompts': withinScope(viewer),
  'POST /api/agent-prompts': withinScope(operator),
  'POST /api/maintenance/preview': withinScope(operator),
  'POST /api/agent-prompts/:requestId/attach': withinScope(operator),
  'DELETE /api/agent-prompts/:requestId': withinScope(operator),
  'POST /api/agent-prompts/:requestId/restore': withinScope(operator),
  'GET /api/agent-jobs/:projectId/:id/prompts': recordWithinScope(viewer),
  'POST /api/agent-jobs/:projectId/:id/messages': prompting(recordWithinScope(operator)),
  'GET /api/saved-prompts': viewer,
  'POST /api/saved-prompts': prompting(operator),
  'PATCH /api/saved-prompts/:promptId': prompting(operator),
  'DELETE /api/saved-prompts/:promptId': prompting(operator),
  'POST /api/saved-prompts/:promptId/runs': prompting(withinScope(operator)),
  'GET /api/tokens': admin,
  'POST /api/tokens': admin,
  'DELETE /api/tokens/:tokenId': admin,
  'POST /api/tokens/:tokenId/hand-over': admin,
}

const isOpenTo = ({ tokens }: Rule, identity: Identity): boolean => {
  if (identity?.kind !== 'token') return true
  return tokens === 'whole' ? !isRestricted(identity) : tokens !== 'none'
}

/** True when the identity may use the route. Nobody may use an unknown one. */
export const mayUse = (identity: Identity, route: string): boolean => {
  const rule = access[route]
  if (rule === undefined || !isOpenTo(rule, identity)) return false
  if (rule.role === 'anyone') return true
  return identity !== null && includesRole(identity.role, rule.role) && (rule.prompts !== true || identity.prompts)
}

const openTo: Record<Role, string> = {
  none: 'Everyone with an account',
  viewer: 'Only people with a role',
  auditor: 'Only auditors and admins',
  operator: 'Only operators and admins',
  admin: 'Only admins',
}

const refusal = (identity: Identity, rule: Rule | undefined): AppError => {
  if (identity === null) return new AppError('not_signed_in', 'Sign in to continue.')
  if (rule === undefined) return new AppError('forbidden', 'Nobody can do this.')
  if (rule.role !== 'anyone' && isOpenTo(rule, identity) && includesRole(identity.role, rule.role))
    return mayNotPrompt(identity)
  if (identity.kind === 'token') {
    if (rule.tokens === 'none') return new AppError('forbidden', 'API tokens can’t do this. Sign in as a person.')
    if (!isOpenTo(rule, identity))
      return new AppError(
        'forbidden',
        'This token is limited to some domains, projects or sites, and this request concerns all of them.',
      )
    if (identity.role === 'none')
      return new AppError('forbidden', 'This token can’t do anything, because its owner no longer has a role.')
    return new AppError('forbidden', 'This token can only read. Use one with the scope operate, owned by an operator.')
  }
  if (rule.role === 'anyone') return new AppError('forbidden', 'Nobody can do this.')
  return new AppError('forbidden', `${openTo[rule.role]} can do this. Ask an admin for access.`)
}

/** Finds the first route that matches a request, as a key of `access`. */
export const findRoute = (c: Context): string | undefined => {
  const found = matchedRoutes(c).find(({ method, path }) => method !== 'ALL' && path !== '*' && path !== '/*')
  return found && `${found.method} ${found.path}`
}

/** Throws when `access` does not allow the request of `c` to somebody. */
export const ensureMayUse = (c: Context<AppEnv>, identity: Identity): void => {
  const route = findRoute(c)
  if (route !== undefined && !mayUse(identity, route)) throw refusal(identity, access[route])
}

/** Refuses requests that `access` does not allow. A request without a route passes on to its 404. */
export const accessControl = createMiddleware<AppEnv>(async (c, next) => {
  ensureMayUse(c, c.var.identity)
  await next()
})

/** Throws unless the app serves exactly the routes of the table. */
export const checkAccess = (app: Pick<Hono<AppEnv>, 'routes'>): void => {
  const served = new Set(
    app.routes
      .filter(({ method, path }) => method !== 'ALL' && path !== '*')
      .map(({ method, path }) => `${method} ${path}`),
  )
  const unlisted = [...served].filter((route) => !(route in access))
  const missing = Object.keys(access).filter((route) => !served.has(route))
  if (unlisted.length > 0)
    throw new Error(`Nobody wrote down who may use ${unlisted.join(', ')} (ground/http/access/access.ts).`)
  if (missing.length > 0)
    throw new Error(`ground/http/access/access.ts names routes that do not exist: ${missing.join(', ')}.`)
}
