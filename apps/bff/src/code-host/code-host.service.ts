import type { AuditAction } from '@docket/api-types/audit'
import { safeReturnTo } from '@docket/return-to'
import { recordAudit } from '#audit/audit.ts'
import type { Actor } from '#identity/actor.ts'
import type { Database } from '#db/database.ts'
import { withDeadline } from '#db/deadline.ts'
import { isDatabaseUnavailable } from '#db/unavailable.ts'
import type { Identity, PersonIdentity } from '#identity/identity.ts'
import { AppError } from '#errors/app-error.ts'
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** A working day. Milliseconds. */
export const passMs = 8 * 3_600_000

const pattern = /^((\d{1,15})\.([\da-f-]{36}))\.([\w-]{43})$/

/** A pass is `expiry.sessionId.signature`. The secret never leaves this closure, so only this process can make one. */
export const openPasses = (now: () => number) => {
  const secret = randomBytes(32)
  const sign = (text: string) => createHmac('sha256', secret).update(text).digest('base64url')
  return {
    make: (sessionId: string): string => {
      const text = `${now() + passMs}.${sessionId}`
      return `${text}.${sign(text)}`
    },
    /** Returns the session of a pass. Null when the pass is expired, altered or from another start. */
    read: (pass: string): string | null => {
      const [, text, expiresAt, sessionId, signature] = pattern.exec(pass) ?? []
      if (text === undefined || sessionId === undefined || signature === undefined) return null
      const isSigned = timingSafeEqual(Buffer.from(signature), Buffer.from(sign(text)))
      return isSigned && Number(expiresAt) > now() ? sessionId : null
    },
  }
}

const actions = {
  merge: 'pull_request.merged',
  close: 'pull_request.closed',
  reopen: 'pull_request.reopened',
  'delete-branch': 'pull_request.branch_deleted',
  'create-job': 'agent_job.requested',
  'send-message': 'agent_job.message_sent',
  'archive-job': 'agent_job.archived',
} as const satisfies Record<string, AuditAction>

/** A change requested on the pages of the embedded code host. */
export type CodeHostChange = {
  action: keyof typeof actions
  projectId: string
  /** Id of the job or number of the pull request; null for a new job. */
  id: string | null
}

// An operator of single connections gets no pass: the embedded service may be none of them.
const mayChange = (identity: Identity): identity is PersonIdentity =>
  identity?.kind === 'person' && identity.operates === null

const toTarget = ({ action, projectId, id }: CodeHostChange) => {
  if (actions[action].startsWith('pull_request.')) return { type: 'pull_request', name: `${projectId}#${id}` }
  return id === null ? { type: 'agent_job', name: projectId } : { type: 'agent_job', id, name: `${projectId}/${id}` }
}

/** Rolls back the audit row of a change that did not happen. */
class NothingChanged extends Error {}

/** `codeHostUrl` is null without an embedded code host. */
export const codeHostService = (deps: {
  db: Database
  codeHostUrl: string | null
  personOfSession: (sessionId: string) => Promise<PersonIdentity | null>
  noteRefused: (by: Actor, refused: { route: string; code: string }) => void
  databaseWaitMs: number
  now: () => number
}) => {
  const { db, codeHostUrl, personOfSession, noteRefused, databaseWaitMs, now } = deps
  const passes = openPasses(now)
  // The code host listens on loopback alone.
  const nobody: Actor = { kind: 'nobody', id: null, name: 'Nobody signed in', address: '127.0.0.1', requestId: null }

  const findHolder = async (pass: string): Promise<Identity> => {
    const sessionId = passes.read(pass)
    return sessionId === null ? null : personOfSession(sessionId)
  }

  const admitNow = async (pass: string, change: CodeHostChange, run: () => Promise<boolean>): Promise<boolean> => {
    const person = await findHolder(pass)
    if (!mayChange(person)) {
      noteRefused(nobody, { route: `code host: ${change.action}`, code: 'forbidden' })
      return false
    }
    const by: Actor = { ...nobody, kind: 'person', id: person.userId, name: person.name }
    const audited = { action: actions[change.action], at: new Date(now()), target: toTarget(change) }
    await db
      .transaction(async (tx) => {
        await recordAudit(tx, by, { ...audited, details: { via: 'code host' } })
        if (!(await run())) throw new NothingChanged()
      })
      .catch((error: unknown) => {
        if (!(error instanceof NothingChanged)) throw error
      })
    return true
  }

  return {
    /**
     * Address of a page. Operators and admins get a pass with it, unless another site sent them. Throws `not_found` without a code host.
     */
    open: async (
      to: string,
      { identity, by, fromElsewhere }: { identity: Identity; by: Actor; fromElsewhere: boolean },
    ) => {
      if (codeHostUrl === null) throw new AppError('not_found', 'This Docket has no embedded code host.')
      const page = new URL(safeReturnTo(to), codeHostUrl)
      page.hash = ''
      if (!mayChange(identity) || fromElsewhere) return page.href
      const target = { type: 'code_host', name: page.pathname }
      await recordAudit(db, by, { action: 'code_host.opened', at: new Date(now()), target })
      return `${page.href}#pass=${passes.make(identity.sessionId)}`
    },
    /** Runs and audits a change for a valid pass whose holder may still change things. False, without calling `run`, for any other pass. */
    admit: async (pass: string, change: CodeHostChange, run: () => Promise<boolean>) => {
      let hasBegun = false
      const begin = () => {
        hasBegun = true
        return run()
      }
      try {
        // The change has begun, so the audit row is worth a longer wait.
        return await withDeadline(
          databaseWaitMs,
          () => hasBegun,
          () => admitNow(pass, change, begin),
        )
      } catch (error) {
        if (!isDatabaseUnavailable(error)) throw error
        // The page shows this message, and the driver's own message contains the query.
        throw new Error(
          hasBegun
            ? 'Docket can’t reach its database right now. Reload this page before you repeat the change.'
            : 'Docket can’t reach its database right now. Nothing changed. Try again.',
        )
      }
    },
  }
}

/** Opens the pages of the embedded code host for people, and admits the changes they make there. */
export type CodeHostService = ReturnType<typeof codeHostService>
