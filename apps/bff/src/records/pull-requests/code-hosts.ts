import { CodeHostError } from '@docket/code-hosts/code-host-error'
import type {
  AddCodeHost,
  CodeHostCheck,
  ConnectionCodeHost,
  ReplaceCodeHostToken,
} from '@docket/api-types/connection-code-hosts'
import type { AuditAction } from '@docket/api-types/audit'
import { and, eq, isNotNull } from 'drizzle-orm'
import type { z } from 'zod'
import { recordAudit } from '#ground/audit/audit.ts'
import { type CodeHostRow, toConnectionCodeHost } from '#service/connections/code-hosts.ts'
import { codeHosts } from '#service/connections/code-hosts.table.ts'
import { connections } from '#ground/db/connections.table.ts'
import { lockConnectionRow } from '#service/connection-settings/connection-settings.ts'
import { forgetPullRequests, makeReadsDue } from '#records/agent-jobs/pull-requests/pull-request-reads.ts'
import type { Tx } from '#ground/db/database.ts'
import { AppError, refusedFieldError } from '#ground/errors/app-error.ts'
import type { Actor } from '#ground/identity/identity.ts'
import type { Ctx } from '#ground/ctx.ts'
import { encryptText, type KeyRing } from '#ground/secret/encrypted-text.ts'
import { normaliseCodeHostUrl, type OpenCodeHost } from './open-code-hosts.ts'

export type CodeHostsCtx = Ctx & { ring: KeyRing; openCodeHost: OpenCodeHost }

const maxCodeHosts = 20
const testTimeoutMs = 15_000
const unused = { answeredAt: null, problem: null, pausedUntil: null, failures: 0 }

type CodeHostKey = { connectionId: string; codeHostId: string }

const lockConnection = async (tx: Tx, connectionId: string): Promise<void> => {
  const { goneAt } = await lockConnectionRow(tx, connectionId)
  if (goneAt !== null) throw new AppError('conflict', 'This connection was removed. Add it again.')
}

const isCodeHost = ({ connectionId, codeHostId }: CodeHostKey) =>
  and(eq(codeHosts.connectionId, connectionId), eq(codeHosts.codeHostId, codeHostId))

const findCodeHost = async (tx: Tx, key: CodeHostKey): Promise<CodeHostRow> => {
  const [row] = await tx.select().from(codeHosts).where(isCodeHost(key))
  if (row === undefined) throw new AppError('not_found', 'There is no such code host. Reload the page.')
  return row
}

const auditCodeHost = async (
  tx: Tx,
  { connectionId, kind, url }: CodeHostRow,
  { action, at, by, ...more }: { action: AuditAction; at: Date; by: Actor; outcome?: string },
) => {
  const [connection] = await tx.select().from(connections).where(eq(connections.connectionId, connectionId))
  await recordAudit(tx, by, {
    action,
    at,
    target: { type: 'connection', id: connectionId, name: connection?.name ?? null },
    details: { kind, address: url, ...more },
  })
}

const refuseEnvironmentCodeHost = ({ sealedToken }: CodeHostRow) => {
  if (sealedToken === null) throw new AppError('conflict', 'Docket’s environment has this token. Change it there.')
}

const checkCodeHostUrl = ({ kind, url }: { kind: CodeHostRow['kind']; url: string }): string => {
  try {
    return normaliseCodeHostUrl({ kind, url })
  } catch (error) {
    const message = error instanceof Error ? error.message : 'This isn’t a valid address.'
    throw refusedFieldError('url', message)
  }
}

const testCodeHostToken = async (row: CodeHostRow, open: OpenCodeHost): Promise<CodeHostCheck> => {
  try {
    await open(row).testToken(AbortSignal.timeout(testTimeoutMs))
    return { outcome: 'accepted', message: `${new URL(row.url).host} accepts the token.` }
  } catch (error) {
    const known = error instanceof CodeHostError || (error instanceof Error && error.name === 'Error')
    const rejected = error instanceof CodeHostError && (error.kind === 'rejected' || error.kind === 'forbidden')
    const message = known ? error.message : `${new URL(row.url).host} did not answer in ${testTimeoutMs / 1000} s.`
    return { outcome: rejected ? 'rejected' : 'unclear', message }
  }
}

/** Never returns the token. Replaces a code host that the environment describes. */
export const addCodeHost = (
  { db, now, ring }: CodeHostsCtx,
  connectionId: string,
  asked: z.output<typeof AddCodeHost>,
  by: Actor,
): Promise<ConnectionCodeHost> =>
  db.transaction(async (tx) => {
    await lockConnection(tx, connectionId)
    const url = checkCodeHostUrl(asked)
    const known = await tx.select().from(codeHosts).where(eq(codeHosts.connectionId, connectionId))
    if (known.length >= maxCodeHosts)
      throw new AppError('conflict', `A connection has at most ${maxCodeHosts} code hosts.`)
    const at = new Date(now())
    const values = {
      connectionId,
      kind: asked.kind,
      url,
      sealedToken: encryptText(ring, asked.token),
      addedBy: by.name,
      addedAt: at,
      ...unused,
    }
    if (known.some((row) => row.url === url && row.sealedToken !== null))
      throw new AppError('conflict', `This connection has a token for ${url} already. Replace that one.`, {
        field: 'url',
      })
    const [row] = await tx
      .insert(codeHosts)
      .values(values)
      .onConflictDoUpdate({ target: [codeHosts.connectionId, codeHosts.url], set: values })
      .returning()
    await makeReadsDue(tx, connectionId, url)
    await auditCodeHost(tx, row!, { action: 'connection.code_host_added', at, by })
    return toConnectionCodeHost(row!, now())
  })

export const replaceToken = (
  { db, now, ring }: CodeHostsCtx,
  key: CodeHostKey,
  { token }: z.output<typeof ReplaceCodeHostToken>,
  by: Actor,
): Promise<ConnectionCodeHost> =>
  db.transaction(async (tx) => {
    await lockConnection(tx, key.connectionId)
    refuseEnvironmentCodeHost(await findCodeHost(tx, key))
    const set = { sealedToken: encryptText(ring, token), ...unused }
    const [row] = await tx.update(codeHosts).set(set).where(isCodeHost(key)).returning()
    await makeReadsDue(tx, key.connectionId, row!.url)
    await auditCodeHost(tx, row!, { action: 'connection.code_host_token_replaced', at: new Date(now()), by })
    return toConnectionCodeHost(row!, now())
  })

export const removeCodeHost = ({ db, now }: CodeHostsCtx, key: CodeHostKey, by: Actor): Promise<void> =>
  db.transaction(async (tx) => {
    await lockConnection(tx, key.connectionId)
    const row = await findCodeHost(tx, key)
    refuseEnvironmentCodeHost(row)
    await tx.delete(codeHosts).where(and(isCodeHost(key), isNotNull(codeHosts.sealedToken)))
    await auditCodeHost(tx, row, { action: 'connection.code_host_removed', at: new Date(now()), by })
    await forgetPullRequests(tx, key.connectionId, row.url)
  })

export const checkCodeHost = async (
  { db, now, openCodeHost }: CodeHostsCtx,
  key: CodeHostKey,
  by: Actor,
): Promise<CodeHostCheck> => {
  const row = await findCodeHost(db, key)
  const check = await testCodeHostToken(row, openCodeHost)
  await db.transaction(async (tx) => {
    const { outcome, message } = check
    const at = new Date(now())
    if (outcome === 'accepted') {
      await tx
        .update(codeHosts)
        .set({ ...unused, answeredAt: at })
        .where(isCodeHost(key))
      await makeReadsDue(tx, key.connectionId, row.url)
    } else await tx.update(codeHosts).set({ problem: message }).where(isCodeHost(key))
    await auditCodeHost(tx, row, { action: 'connection.code_host_tested', at, by, outcome })
  })
  return check
}
