import type { z } from 'zod'
import { BackupReport } from './process/backups.ts'
import { DiskReport } from './process/disks.ts'
import { About } from './overview/about.ts'
import { Activity, ActivityQuery } from './overview/activity.ts'
import { MaintenancePreview, PreviewMaintenance } from './overview/maintenance.ts'
import { Status } from './overview/status.ts'
import { WorkloadProcesses, WorkloadReport } from './overview/workload.ts'
import { targetRoutes } from './releases/targets.ts'
import { BundleLink, PreparedBundle } from './bundles/bundles.ts'
import {
  AgentJob,
  AgentJobChecks,
  AgentJobFilters,
  AgentJobList,
  AgentJobCsvQuery,
  AgentJobListQuery,
  AgentJobLog,
  AgentJobLogQuery,
  FollowAgentJobs,
  FollowAgentJobsResult,
  ListedAgentJobs,
  ListedAgentJobsQuery,
  MarkPullRequest,
} from './records/agent-jobs.ts'
import {
  AgentPromptList,
  AttachAgentJob,
  CreateAgentJob,
  RetryAgentJob,
  SendAgentMessage,
  SentAgentPrompt,
} from './records/agent-prompts.ts'
import { Changes } from './records/changes.ts'
import {
  ActOnPull,
  CodeHostFolder,
  UpdateFolder,
  CodeHostCommit,
  CodeHostProjects,
  CodeHostPull,
  CodeHostPulls,
  CodeHostPullsQuery,
} from './records/code-host.ts'
import {
  ChangePrompt,
  RunPrompt,
  SavedPrompt,
  SavedPromptRun,
  SavedPrompts,
  SavePrompt,
} from './records/saved-prompts.ts'
import { StaticExportStatistics, StaticExportStatisticsQuery } from './records/static-export-statistics.ts'
import {
  AttachJobId,
  ImportStaticExport,
  StartedStaticExport,
  StartStaticExport,
  StaticExport,
  StaticExportChecks,
  StaticExportCsvQuery,
  StaticExportFilters,
  StaticExportList,
  StaticExportListQuery,
} from './records/static-exports.ts'
import {
  AddCodeHost,
  CodeHostCheck,
  ConnectionCodeHost,
  ReplaceCodeHostToken,
} from './service/connection-code-hosts.ts'
import { ConnectionReport } from './service/connection.ts'
import {
  ChangeConnection,
  ConnectionList,
  ConnectionQuery,
  ConnectionSettings,
  CreateConnection,
  KeyCheck,
  MoveRecords,
  Project,
  ProjectList,
  SaveProject,
} from './service/connections.ts'
import { History } from './service/history.ts'
import {
  AccountSessionList,
  AddPasskey,
  BackupCodes,
  ChangeAccount,
  ChangePassword,
  ChangeUser,
  Invite,
  LinkPurpose,
  OidcStarted,
  OneTimeLink,
  PasskeyList,
  ProvePassword,
  ReadLink,
  SecondFactorCode,
  SecondFactorSetup,
  SignInStep,
  SignInWithPassword,
  StartOidc,
  UseLink,
  User,
  UserList,
  WebAuthnJson,
} from './people/accounts.ts'
import { ApiTokenList, CreateApiToken, CreatedApiToken, DeleteUserQuery } from './people/api-tokens.ts'
import { AddGrant, Grant, GrantList } from './people/grants.ts'
import { ChangeView, SavedView, SavedViews, SaveView } from './people/saved-views.ts'
import { CheckSetUp, Handover, Person, Session, SetUp } from './people/session.ts'
import { AuditExportQuery, AuditList, AuditQuery, AuditVerification, AuditVerificationQuery } from './ground/audit.ts'
import { ChangeNote } from './ground/list.ts'
import { artifactRoutes } from './artifact-routes.ts'
import { siteRoutes } from './site-routes.ts'

/** Schemas of a route. Without a `response` it answers 204 or, to a GET, with a file or a redirect that the browser follows. */
export type Route = { query?: z.ZodType; body?: z.ZodType; response?: z.ZodType }
/** Methods of the API. */
export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** Every route that the web app may call. The server declares its routes from this table. */
export const routes = {
  '/api/session': { GET: { response: Session }, POST: { body: Handover }, DELETE: {} },
  '/api/setup': { POST: { body: SetUp } },
  '/api/setup/check': { POST: { body: CheckSetUp } },
  '/api/links/read': { POST: { body: ReadLink, response: LinkPurpose } },
  '/api/links/use': { POST: { body: UseLink } },
  '/api/auth/sign-in/password': { POST: { body: SignInWithPassword, response: SignInStep } },
  '/api/auth/second-factor': { POST: { body: SecondFactorCode } },
  '/api/auth/passkey/options': { POST: { response: WebAuthnJson } },
  '/api/auth/passkey/sign-in': { POST: { body: WebAuthnJson } },
  '/api/auth/oidc': { POST: { body: StartOidc, response: OidcStarted } },

  '/api/account': { PATCH: { body: ChangeAccount, response: Person } },
  '/api/account/password': { POST: { body: ChangePassword } },
  '/api/account/read-news': { POST: {} },
  '/api/account/sessions': { GET: { response: AccountSessionList }, DELETE: {} },
  '/api/account/sessions/handover': { POST: { response: Handover } },
  '/api/account/sessions/{sessionId}': { DELETE: {} },
  '/api/account/second-factor/begin': { POST: { body: ProvePassword, response: SecondFactorSetup } },
  '/api/account/second-factor/confirm': { POST: { body: SecondFactorCode, response: BackupCodes } },
  '/api/account/second-factor/remove': { POST: { body: ProvePassword } },
  '/api/account/passkeys': { GET: { response: PasskeyList }, POST: { body: AddPasskey } },
  '/api/account/passkeys/options': { POST: { body: ProvePassword, response: WebAuthnJson } },
  '/api/account/passkeys/{passkeyId}': { DELETE: {} },
  '/api/views': { GET: { response: SavedViews }, POST: { body: SaveView, response: SavedView } },
  '/api/views/{viewId}': { PATCH: { body: ChangeView, response: SavedView }, DELETE: {} },

  '/api/about': { GET: { response: About } },

  '/api/users': { GET: { response: UserList } },
  '/api/users/invitations': { POST: { body: Invite, response: OneTimeLink } },
  '/api/users/invitations/{invitationId}': { DELETE: {} },
  '/api/grants': { GET: { response: GrantList }, POST: { body: AddGrant, response: Grant } },
  '/api/grants/{grantId}': { DELETE: {} },
  '/api/users/{userId}': { PATCH: { body: ChangeUser, response: User }, DELETE: { query: DeleteUserQuery } },
  '/api/users/{userId}/password-link': { POST: { response: OneTimeLink } },
  '/api/users/{userId}/sessions': { GET: { response: AccountSessionList }, DELETE: {} },

  '/api/tokens': { GET: { response: ApiTokenList }, POST: { body: CreateApiToken, response: CreatedApiToken } },
  '/api/tokens/{tokenId}': { DELETE: {} },
  '/api/tokens/{tokenId}/hand-over': { POST: {} },
  '/api/audit': { GET: { query: AuditQuery, response: AuditList } },
  '/api/audit/export': { GET: { query: AuditExportQuery } },
  '/api/audit/verify': { GET: { query: AuditVerificationQuery, response: AuditVerification } },
  '/api/status': { GET: { response: Status } },
  '/api/disks': { GET: { response: DiskReport } },
  '/api/workload': { GET: { response: WorkloadReport } },
  '/api/workload/processes': { GET: { response: WorkloadProcesses } },
  '/api/backups': { GET: { response: BackupReport }, POST: {} },
  '/api/connection': { GET: { query: ConnectionQuery, response: ConnectionReport } },
  '/api/connection/resume': { POST: { query: ConnectionQuery } },
  '/api/connections': {
    GET: { response: ConnectionList },
    POST: { body: CreateConnection, response: ConnectionSettings },
  },
  '/api/connections/{connectionId}': { PATCH: { body: ChangeConnection, response: ConnectionSettings }, DELETE: {} },
  '/api/connections/{connectionId}/check': { POST: { response: KeyCheck } },
  '/api/connections/{connectionId}/move-records': { POST: { body: MoveRecords } },
  '/api/connections/{connectionId}/code-hosts': { POST: { body: AddCodeHost, response: ConnectionCodeHost } },
  '/api/connections/{connectionId}/code-hosts/{codeHostId}': {
    PATCH: { body: ReplaceCodeHostToken, response: ConnectionCodeHost },
    DELETE: {},
  },
  '/api/connections/{connectionId}/code-hosts/{codeHostId}/check': { POST: { response: CodeHostCheck } },
  '/api/projects': { GET: { response: ProjectList }, POST: { body: SaveProject, response: Project } },
  '/api/activity': { GET: { query: ActivityQuery, response: Activity } },
  '/api/code-host': { GET: { response: CodeHostProjects } },
  '/api/code-host/{projectId}': { GET: { query: CodeHostPullsQuery, response: CodeHostPulls } },
  '/api/code-host/{projectId}/folder': { POST: { body: UpdateFolder, response: CodeHostFolder } },
  '/api/code-host/{projectId}/commits/{hash}': { GET: { response: CodeHostCommit } },
  '/api/code-host/{projectId}/pulls/{number}': { GET: { response: CodeHostPull } },
  '/api/code-host/{projectId}/pulls/{number}/merge': { POST: { body: ActOnPull, response: CodeHostPull } },
  '/api/code-host/{projectId}/pulls/{number}/close': { POST: { body: ActOnPull, response: CodeHostPull } },
  '/api/code-host/{projectId}/pulls/{number}/reopen': { POST: { body: ActOnPull, response: CodeHostPull } },
  '/api/code-host/{projectId}/pulls/{number}/delete-branch': { POST: { body: ActOnPull, response: CodeHostPull } },

  '/api/static-exports': {
    GET: { query: StaticExportListQuery, response: StaticExportList },
    POST: { body: StartStaticExport, response: StartedStaticExport },
  },
  '/api/static-exports/checks': { GET: { query: StaticExportListQuery, response: StaticExportChecks } },
  '/api/static-exports/export.csv': { GET: { query: StaticExportCsvQuery } },
  '/api/static-exports/filters': { GET: { query: ConnectionQuery, response: StaticExportFilters } },
  '/api/static-exports/statistics': {
    GET: { query: StaticExportStatisticsQuery, response: StaticExportStatistics },
  },
  '/api/static-exports/import': { POST: { body: ImportStaticExport, response: StartedStaticExport } },
  '/api/static-exports/{exportId}': {
    GET: { response: StaticExport },
    PATCH: { body: ChangeNote, response: StaticExport },
    DELETE: {},
  },
  '/api/static-exports/{exportId}/history': { GET: { response: History } },
  '/api/static-exports/{exportId}/restore': { POST: { response: StaticExport } },
  '/api/static-exports/{exportId}/dismiss': {
    POST: { response: StaticExport },
    DELETE: { response: StaticExport },
  },
  '/api/static-exports/{exportId}/attach': { POST: { body: AttachJobId, response: StaticExport } },
  '/api/static-exports/{exportId}/check': { POST: { response: StaticExport } },
  '/api/static-exports/{exportId}/cancel': { POST: { response: StaticExport } },
  '/api/static-exports/{exportId}/bundle': { POST: { response: BundleLink } },
  '/api/static-exports/{exportId}/bundle/prepare': { POST: { response: PreparedBundle } },
  '/api/static-exports/{exportId}/download': { GET: {} },
  ...artifactRoutes,
  ...siteRoutes,
  ...targetRoutes,

  '/api/agent-jobs': {
    GET: { query: AgentJobListQuery, response: AgentJobList },
    POST: { body: FollowAgentJobs, response: FollowAgentJobsResult },
  },
  '/api/agent-jobs/checks': { GET: { query: AgentJobListQuery, response: AgentJobChecks } },
  '/api/agent-jobs/export.csv': { GET: { query: AgentJobCsvQuery } },
  '/api/agent-jobs/filters': { GET: { query: ConnectionQuery, response: AgentJobFilters } },
  '/api/agent-jobs/listed': { GET: { query: ListedAgentJobsQuery, response: ListedAgentJobs } },
  '/api/agent-jobs/{projectId}/{id}': {
    GET: { query: ConnectionQuery, response: AgentJob },
    PATCH: { query: ConnectionQuery, body: ChangeNote, response: AgentJob },
    DELETE: { query: ConnectionQuery },
  },
  '/api/agent-jobs/{projectId}/{id}/history': { GET: { query: ConnectionQuery, response: History } },
  '/api/agent-jobs/{projectId}/{id}/restore': { POST: { query: ConnectionQuery, response: AgentJob } },
  '/api/agent-jobs/{projectId}/{id}/dismiss': {
    POST: { query: ConnectionQuery, response: AgentJob },
    DELETE: { query: ConnectionQuery, response: AgentJob },
  },
  '/api/agent-jobs/{projectId}/{id}/check': { POST: { query: ConnectionQuery, response: AgentJob } },
  '/api/agent-jobs/{projectId}/{id}/log': { GET: { query: AgentJobLogQuery, response: AgentJobLog } },
  '/api/agent-jobs/{projectId}/{id}/changes': { GET: { query: ConnectionQuery, response: Changes } },
  '/api/agent-jobs/{projectId}/{id}/cancel': { POST: { query: ConnectionQuery, response: AgentJob } },
  '/api/agent-jobs/{projectId}/{id}/archive': { POST: { query: ConnectionQuery, response: AgentJob } },
  '/api/agent-jobs/{projectId}/{id}/retry': {
    POST: { query: ConnectionQuery, body: RetryAgentJob, response: SentAgentPrompt },
  },
  '/api/agent-jobs/{projectId}/{id}/pull-request': {
    POST: { query: ConnectionQuery, body: MarkPullRequest, response: AgentJob },
  },
  '/api/agent-jobs/{projectId}/{id}/prompts': { GET: { query: ConnectionQuery, response: AgentPromptList } },
  '/api/agent-jobs/{projectId}/{id}/messages': {
    POST: { query: ConnectionQuery, body: SendAgentMessage, response: SentAgentPrompt },
  },
  '/api/agent-prompts': {
    GET: { query: ConnectionQuery, response: AgentPromptList },
    POST: { body: CreateAgentJob, response: SentAgentPrompt },
  },
  '/api/saved-prompts': {
    GET: { response: SavedPrompts },
    POST: { body: SavePrompt, response: SavedPrompt },
  },
  '/api/saved-prompts/{promptId}': { PATCH: { body: ChangePrompt, response: SavedPrompt }, DELETE: {} },
  '/api/saved-prompts/{promptId}/runs': { POST: { body: RunPrompt, response: SavedPromptRun } },
  '/api/maintenance/preview': { POST: { body: PreviewMaintenance, response: MaintenancePreview } },
  '/api/agent-prompts/{requestId}': { DELETE: {} },
  '/api/agent-prompts/{requestId}/attach': { POST: { body: AttachAgentJob, response: SentAgentPrompt } },
  '/api/agent-prompts/{requestId}/restore': { POST: { response: SentAgentPrompt } },
} satisfies Record<`/api/${string}`, Partial<Record<Method, Route>>>

type Routes = typeof routes

/** Paths whose route has this `Shape`, such as `{ DELETE: object }`. */
export type RoutePath<Shape> = { [P in keyof Routes]: Routes[P] extends Shape ? P : never }[keyof Routes]

/** Names of the parameters in a path. */
export type PathParam<P> = P extends `${string}{${infer Name}}${infer Rest}` ? Name | PathParam<Rest> : never

type Query<T> = Partial<T> extends T ? { query?: T } : { query: T }

/** Path parameters, query and body that a call must or may pass. */
export type RouteRequest<M extends Method, P extends RoutePath<Record<M, object>>> = ([PathParam<P>] extends [never]
  ? { params?: never }
  : { params: Record<PathParam<P>, string> }) &
  (Routes[P] extends Record<M, { query: infer S extends z.ZodType }> ? Query<z.input<S>> : { query?: never }) &
  (Routes[P] extends Record<M, { body: infer S extends z.ZodType }> ? { body: z.input<S> } : { body?: never })

/** Response that a call resolves to. */
export type RouteResponse<M extends Method, P extends RoutePath<Record<M, object>>> =
  Routes[P] extends Record<M, { response: infer S extends z.ZodType }> ? z.output<S> : void
