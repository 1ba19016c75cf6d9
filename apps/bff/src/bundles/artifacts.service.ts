import { recordAudit } from '#ground/audit/audit.ts'
import type { Ctx } from '#ground/ctx.ts'
import type { Tx } from '#ground/db/database.ts'
import { AppError } from '#ground/errors/app-error.ts'
import { toAuditTarget } from '#service/history/history.ts'
import type { Actor } from '#ground/identity/actor.ts'
import type { AuditAction } from '@docket/api-types/audit'
import { isArtifact, lockArtifact } from './artifacts/artifacts.rows.ts'
import { reasonSentences } from './artifacts/artifacts.state.ts'
import { artifacts } from './artifacts/artifacts.table.ts'
import type { ExportRecords } from './artifacts/export-records.ts'
import type { FindingCounter } from './check/finding-counter.ts'
import { letRulesGo, refuseHeld } from '#bundles/artifacts/held-bundles.ts'
import { dropCopy } from './retention/retention.ts'
import { intendStoring } from './storing/intend-storing.ts'
import type { SharedStore } from './store/shared-store.ts'

const notStored = (exportId: string) =>
  new AppError('conflict', 'Docket has no copy of this bundle. Store it first.', { exportId })

/** What people do with the copies of bundles. Each change is audited in its transaction. */
export const artifactService = (
  deps: Ctx & {
    exports: ExportRecords
    counter: Pick<FindingCounter, 'write'>
    shared: Pick<SharedStore, 'view'>
    /** Begins with the bundles that wait. */
    wake: () => void
  },
) => {
  const { db, exports, shared, wake, now } = deps

  const audit = async (tx: Tx, exportId: string, { action, by }: { action: AuditAction; by: Actor }) => {
    const target = await toAuditTarget(tx, { type: 'static_export', exportId })
    await recordAudit(tx, by, { action, at: new Date(now()), target })
  }

  return {
    /** Writes that a bundle will be stored, when an export completes. */
    onCompleted: async (tx: Tx, { exportId }: { exportId: string }): Promise<void> => {
      const completed = await exports.findKnown(tx, exportId)
      // An upload brings its bundle itself.
      if (completed.jobId === null) return
      const { problem } = await shared.view()
      // Without a row, an export of the time before stays quiet when storing is switched on.
      if (problem === 'off') return
      await intendStoring(tx, completed, { at: new Date(now()), reason: problem })
      wake()
    },
    /** Stores the bundle of a completed export. Idempotent. */
    store: async (exportId: string, by: Actor): Promise<void> => {
      const known = await exports.find(exportId)
      const { problem } = await shared.view()
      const refuse = (message: string) => new AppError('conflict', message, { exportId })
      if (!known.isCompleted) throw refuse('Only a completed export has a bundle. Wait until this one completes.')
      if (known.jobId === null) throw refuse('This bundle was uploaded, so no service has it. Upload it again.')
      if (problem !== null) throw refuse(reasonSentences[problem])
      await db.transaction(async (tx) => {
        if (!(await intendStoring(tx, known, { at: new Date(now()) }))) return
        await exports.countChange(tx, [exportId])
        await audit(tx, exportId, { action: 'bundle.store_requested', by })
      })
      wake()
    },
    /** Deletes the copy of a bundle, also that of a removed export. `conflict` when there is none. */
    remove: async (exportId: string, by: Actor): Promise<void> => {
      const isDropped = await db.transaction(async (tx) => {
        const [known] = await tx.select({ sha256: artifacts.sha256 }).from(artifacts).where(isArtifact(exportId))
        const sha256 = known?.sha256 ?? null
        if (sha256 !== null) await letRulesGo(tx, sha256)
        const dropped = await dropCopy(tx, deps, exportId, { at: new Date(now()), by })
        if (dropped && sha256 !== null) await refuseHeld(tx, sha256)
        return dropped
      })
      if (isDropped) return
      await exports.find(exportId)
      throw notStored(exportId)
    },
    /** Says whether retention leaves a copy alone. Idempotent. `conflict` when there is none. */
    keep: async (exportId: string, kept: boolean, by: Actor): Promise<void> => {
      await exports.find(exportId)
      await db.transaction(async (tx) => {
        const row = await lockArtifact(tx, exportId)
        if (row?.state !== 'stored') throw notStored(exportId)
        if (row.kept === kept) return
        await tx.update(artifacts).set({ kept }).where(isArtifact(exportId))
        await exports.countChange(tx, [exportId])
        await audit(tx, exportId, { action: kept ? 'bundle.kept' : 'bundle.released', by })
      })
    },
  }
}

export type ArtifactService = ReturnType<typeof artifactService>
