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
import { connections, unassignedId } from '#ground/db/connections.table.ts'
import type { Database, Tx } from '#ground/db/database.ts'
import { AppError } from '#ground/errors/app-error.ts'
import type { Actor } from '#ground/identity/actor.ts'
import { encrypt, type KeyRing } from '#ground/secret/encrypted-text.ts'
import { normaliseCodeHostUrl, type OpenCodeHost } from './open-code-hosts.ts'

const maxCodeHosts = 20
const testTimeoutMs = 15_000
const unused = { answeredAt: null, problem: null, pausedUntil: null, failures: 0 }

/** Names one code host of a connection. */
type CodeHostKey = { connectionId: string; codeHostId: string }

/** Edits the code hosts of connections, for admins. Tokens are written and never read back. */
export const codeHostSettings = (deps: {
  db: Database
  ring: KeyRing
  open: OpenCodeHost
  /** Plans reads of the pull requests at an address anew, because its token is another one. */
  readAgain: (tx: Tx, connectionId: string, url: string) => Promise<void>
  /** Says of the open pull requests at an address that they aren't checked. */
  forget: (tx: Tx, connectionId: string, url: string) => Promise<void>
  now: () => number
}) => {
  const { db, ring, open, readAgain, forget, now } = deps
  const present = (row: CodeHostRow): ConnectionCodeHost => toConnectionCodeHost(row, now())

  const lockConnection = async (tx: Tx, connectionId: string) => {
    const [row] = await tx.select().from(connections).where(eq(connections.connectionId, connectionId)).for('update')
    if (row === undefined || connectionId === unassignedId)
      throw new AppError('not_found', 'There is no such connection. Reload the page.')
    if (row.goneAt !== null) throw new AppError('conflict', 'This connection was removed. Add it again.')
    return row
  }

  const isCodeHost = ({ connectionId, codeHostId }: CodeHostKey) =>
    and(eq(codeHosts.connectionId, connectionId), eq(codeHosts.codeHostId, codeHostId))

  const find = async (tx: Tx, key: CodeHostKey): Promise<CodeHostRow> => {
    const [row] = await tx.select().from(codeHosts).where(isCodeHost(key))
    if (row === undefined) throw new AppError('not_found', 'There is no such code host. Reload the page.')
    return row
  }

  const record = async (
    tx: Tx,
    by: Actor,
    action: AuditAction,
    { connectionId, kind, url }: CodeHostRow,
    more = {},
  ) => {
    const [connection] = await tx.select().from(connections).where(eq(connections.connectionId, connectionId))
    await recordAudit(tx, by, {
      action,
      at: new Date(now()),
      target: { type: 'connection', id: connectionId, name: connection?.name ?? null },
      details: { kind, address: url, ...more },
    })
  }

  const refuseOwn = ({ sealedToken }: CodeHostRow) => {
    if (sealedToken === null) throw new AppError('conflict', 'Docket’s environment has this token. Change it there.')
  }

  return {
    /** Adds a code host with its token. Takes the place of one that the environment describes. */
    add: (connectionId: string, asked: z.output<typeof AddCodeHost>, by: Actor): Promise<ConnectionCodeHost> =>
      db.transaction(async (tx) => {
        await lockConnection(tx, connectionId)
        const url = checkUrl(asked)
        const known = await tx.select().from(codeHosts).where(eq(codeHosts.connectionId, connectionId))
        if (known.length >= maxCodeHosts)
          throw new AppError('conflict', `A connection has at most ${maxCodeHosts} code hosts.`)
        const values = {
          connectionId,
          kind: asked.kind,
          url,
          sealedToken: encrypt(ring, asked.token),
          addedBy: by.name,
          addedAt: new Date(now()),
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
        await readAgain(tx, connectionId, url)
        await record(tx, by, 'connection.code_host_added', row!)
        return present(row!)
      }),
    replaceToken: (key: CodeHostKey, { token }: z.output<typeof ReplaceCodeHostToken>, by: Actor) =>
      db.transaction(async (tx) => {
        await lockConnection(tx, key.connectionId)
        refuseOwn(await find(tx, key))
        const set = { sealedToken: encrypt(ring, token), ...unused }
        const [row] = await tx.update(codeHosts).set(set).where(isCodeHost(key)).returning()
        await readAgain(tx, key.connectionId, row!.url)
        await record(tx, by, 'connection.code_host_token_replaced', row!)
        return present(row!)
      }),
    /** Removes a code host and its token. */
    remove: (key: CodeHostKey, by: Actor): Promise<void> =>
      db.transaction(async (tx) => {
        await lockConnection(tx, key.connectionId)
        const row = await find(tx, key)
        refuseOwn(row)
        await tx.delete(codeHosts).where(and(isCodeHost(key), isNotNull(codeHosts.sealedToken)))
        await record(tx, by, 'connection.code_host_removed', row)
        await forget(tx, key.connectionId, row.url)
      }),
    /** Makes one call with the token. */
    check: async (key: CodeHostKey, by: Actor): Promise<CodeHostCheck> => {
      const row = await find(db, key)
      const check = await testToken(row, open)
      await db.transaction(async (tx) => {
        const { outcome, message } = check
        if (outcome === 'accepted') {
          await tx
            .update(codeHosts)
            .set({ ...unused, answeredAt: new Date(now()) })
            .where(isCodeHost(key))
          await readAgain(tx, key.connectionId, row.url)
        } else await tx.update(codeHosts).set({ problem: message }).where(isCodeHost(key))
        await record(tx, by, 'connection.code_host_tested', row, { outcome })
      })
      return check
    },
  }
}

/** Settings of the code hosts. */
export type CodeHostSettings = ReturnType<typeof codeHostSettings>

const checkUrl = ({ kind, url }: { kind: CodeHostRow['kind']; url: string }): string => {
  try {
    return normaliseCodeHostUrl({ kind, url })
  } catch (error) {
    const message = error instanceof Error ? error.message : 'This isn’t a valid address.'
    throw new AppError('invalid_request', message, { field: 'url' })
  }
}

const testToken = async (row: CodeHostRow, open: OpenCodeHost): Promise<CodeHostCheck> => {
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
