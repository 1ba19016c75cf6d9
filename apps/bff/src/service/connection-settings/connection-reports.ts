import type { ConnectionReport } from '@docket/api-types/connection'
import type { Status } from '@docket/api-types/status'
import { describeConnection, noConnection } from '#service/admin-api/connection.ts'
import { AppError } from '#ground/errors/app-error.ts'
import { isWithin, type TokenScope } from '#ground/http/access/token-scope.ts'
import type { CallReport } from '#service/rate-limit/call-report.ts'
import { countRecords, type KnownConnection } from '#service/connections/connection-rows.ts'
import type { ServiceCtx } from '#service/service-ctx.ts'
import { describeKeyExpiry } from '#service/connections/key-health.ts'

type ConnectionSummary = Pick<
  Status,
  'mode' | 'deploymentKind' | 'agentJobCreation' | 'connection' | 'watching' | 'connections'
>

const neverCalled = describeConnection(noConnection)

const maxListed = 10

const explainLateReads = (
  { budget, gates, connection, watching }: CallReport,
  late: readonly string[],
): string | null => {
  if (late.length === 0) return null
  if (!watching.polls) return 'Polling is off, because ADMIN_API_CALLS_PER_HOUR is 0. Use “Check now”, or allow calls.'
  const gate = gates.find(({ calls }) => late.some((kind) => kind === calls))
  if (gate !== undefined) return gate.message
  // Limits of the other class of calls do not delay these reads.
  if (gates.every(({ calls }) => calls === 'agent_prompts') && watching.heldBack !== null) return watching.heldBack
  if (budget.nextPollAt !== null)
    return `The budget of ${budget.callsPerHour} calls per hour (ADMIN_API_CALLS_PER_HOUR) is too small for all due records, so they take turns.`
  return connection.message
}

const isActiveConnection = ({ use }: KnownConnection) => use === 'active'

/** Undefined while the records of a connection are read-only. */
const readLimits = async ({ registry }: ServiceCtx, { row }: KnownConnection) =>
  registry.find(row.connectionId)?.limits.report()

const describeExpiry = (row: KnownConnection['row'], now: number) =>
  describeKeyExpiry(row.keyExpiresOn, now) ??
  describeKeyExpiry(row.clientCertificateExpiresOn, now, 'client certificate')

const findSuccessor = ({ registry }: ServiceCtx, { source, goneAt, anotherService }: KnownConnection['row']) =>
  source === 'environment' && goneAt !== null && !anotherService
    ? (registry.list().find(({ row }) => row.source === 'environment' && row.goneAt === null)?.row.connectionId ?? null)
    : null

const presentConnection = (
  ctx: ServiceCtx,
  { row, use, reason }: KnownConnection,
  { connection }: Pick<CallReport, 'connection'> = { connection: neverCalled },
  { operates }: Pick<TokenScope, 'operates'>,
) => {
  const { connectionId, name, kind, source, colour, production, deploymentKind, agentJobCreation, agentJobList } = row
  return {
    connectionId,
    name,
    kind,
    source,
    colour,
    production,
    deploymentKind,
    agentJobCreation,
    agentJobList,
    use,
    useReason: reason,
    state: connection.state,
    message: connection.message,
    since: connection.since,
    keyWarning: use === 'active' ? describeExpiry(row, ctx.now()) : null,
    mayOperate: isWithin(operates, connectionId),
    successorId: findSuccessor(ctx, row),
  }
}

export const describeKnownConnection = async (ctx: ServiceCtx, known: KnownConnection, scope: TokenScope) =>
  presentConnection(ctx, known, await readLimits(ctx, known), scope)

const listWithin = ({ registry }: ServiceCtx, { connectionIds }: TokenScope) =>
  registry.list().filter(({ row }) => isWithin(connectionIds, row.connectionId))

/** Includes removed connections that have records. */
export const listVisibleConnections = async (ctx: ServiceCtx, scope: TokenScope): Promise<KnownConnection[]> => {
  const within = listWithin(ctx, scope)
  if (within.every(isActiveConnection)) return within
  const counts = await countRecords(ctx.db)
  return within.filter(({ row, use }) => use !== 'gone' || counts.has(row.connectionId))
}

/** Without a requested connection, reports on the first active one. */
export const reportConnection = async (
  ctx: ServiceCtx,
  connectionId: string | undefined,
  scope: TokenScope,
): Promise<ConnectionReport> => {
  const found = listWithin(ctx, scope).find((known) =>
    connectionId === undefined ? isActiveConnection(known) : known.row.connectionId === connectionId,
  )
  if (found === undefined) throw new AppError('not_found', 'There is no such connection.')
  const id = found.row.connectionId
  const { limits } = ctx.registry.open(id)
  const kinds = Object.entries(ctx.kinds)
  const [report, calls, late, next] = await Promise.all([
    limits.report(),
    limits.calls(),
    Promise.all(kinds.map(async ([calls, kind]) => ({ calls, ...(await kind.late(id)) }))),
    Promise.all(kinds.map(([, kind]) => kind.next(id, maxListed))),
  ])
  const behind = late.filter(({ count }) => count > 0)
  return {
    budget: report.budget,
    gates: report.gates,
    ...calls,
    late: {
      count: behind.reduce((sum, { count }) => sum + count, 0),
      byMs: Math.max(0, ...behind.map(({ oldestMs }) => oldestMs)),
      why: explainLateReads(
        report,
        behind.map((kind) => kind.calls),
      ),
    },
    nextChecks: next
      .flat()
      .toSorted((a, b) => a.nextCheckAt.localeCompare(b.nextCheckAt))
      .slice(0, maxListed),
    retentionDays: ctx.retentionDays,
  }
}

/** `connection` and `watching` describe the first active connection. */
export const summariseConnections = async (ctx: ServiceCtx, scope: TokenScope): Promise<ConnectionSummary> => {
  const seen = await listVisibleConnections(ctx, scope)
  const reports = await Promise.all(seen.map((known) => readLimits(ctx, known)))
  const place = seen.findIndex(isActiveConnection)
  const [first, report] = [seen[place], reports[place]]
  const origin = first && ctx.registry.find(first.row.connectionId)?.adminApi.origin
  const active = seen.filter(isActiveConnection)
  return {
    mode: first !== undefined && active.every(({ row }) => row.kind === 'embedded') ? 'local' : 'connected',
    deploymentKind: first?.row.deploymentKind ?? 'cloud',
    agentJobCreation: active.some(({ row }) => row.agentJobCreation),
    connection: { ...(report?.connection ?? neverCalled), origin: origin ?? '' },
    watching: report?.watching ?? { polls: false, heldBack: null, until: null },
    connections: seen.map((known, index) => presentConnection(ctx, known, reports[index], scope)),
  }
}
