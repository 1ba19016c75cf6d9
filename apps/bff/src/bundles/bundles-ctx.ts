import type { ChangeCounts } from '@docket/api-types/artifacts'
import type { ObjectStorage } from '@docket/artifact-store/object-storage'
import type { inTurnPerKey } from '@docket/once'
import type { StoredSite } from '@docket/site-bundle/open-site'
import type { Finding } from '@docket/site-bundle/report'
import type { ExportRecords } from '#bundles/artifacts/artifacts.rows.ts'
import type { StoreView } from '#bundles/artifacts/artifacts.state.ts'
import type { FindingCounter } from '#bundles/check/finding-counter.ts'
import type { ComparisonKeeper } from '#bundles/comparison/comparison-keeper.ts'
import type { UseBundle } from '#bundles/download/bundles.service.ts'
import type { StoreHealth } from '#bundles/shared-store/shared-store.ts'
import type { StagingFolders } from '#bundles/storing/staging.ts'
import type { ArtifactSettings } from '#ground/config/stores.ts'
import type { Ctx } from '#ground/ctx.ts'
import type { TokenScope } from '#ground/http/access/token-scope.ts'

export type Analysis =
  | {
      outcome: 'read'
      ending: string
      contentBytes: number
      files: number
      pages: number
      /** Null when the check finished; else why not. */
      checkUnfinished: string | null
      findings: Pick<Finding, 'fingerprint' | 'level'>[]
    }
  | { outcome: 'refused'; reason: 'not_an_archive' | 'too_large' | 'refused'; sentence: string }

/** Reads a bundle in a process with limits. Writes `site.zip`, `manifest.json.gz` and `report.json.gz` into `folder`. */
export type AnalyseBundle = (
  options: { file: string; folder: string },
  watch: {
    onProgress: (phase: 'reading' | 'checking', done: number, total: number | null) => void
    /** An attempt that failed without being stopped. */
    onFailure: (error: Error) => void
  },
  signal: AbortSignal,
) => Promise<Analysis>

/** Makes the built site in an archive portable, in a process with limits. Writes `file` into `folder`; nothing is read from other hosts. */
export type MakePortable = (
  options: { file: string; folder: string; domain: string },
  watch: { onProgress: (done: number, total: number) => void; onFailure: (error: Error) => void },
  signal: AbortSignal,
) => Promise<{ outcome: 'made'; file: string } | Extract<Analysis, { outcome: 'refused' }>>

export type StoringCtx = Ctx & {
  settings: ArtifactSettings
  storage: ObjectStorage
  processId: string
  /** No other process uses the database. */
  alone: boolean
  exports: ExportRecords
  /** Rejects with the failures of the store. */
  openSite: (sha256: string) => StoredSite
  view: () => Promise<StoreView>
  staging: StagingFolders
  counter: FindingCounter
  comparing: ComparisonKeeper
  inTurn: ReturnType<typeof inTurnPerKey>
  analyse: AnalyseBundle
  makePortable: MakePortable
  countChanges: (earlier: StoredSite, later: StoredSite, signal: AbortSignal) => Promise<ChangeCounts>
  /** Reads the bundle of an export from its service, using one call of the budget. */
  readWhole: <Result>(exportId: string, signal: AbortSignal, use: UseBundle<Result>) => Promise<Result>
  /** File of a bundle that the embedded service keeps on this machine. Null for any other. */
  findFile: (connectionId: string, jobId: string) => Promise<string | null>
  /** False while the disk is nearly full, so that bundles wait. */
  hasRoom: () => boolean
  /** Exports whose uploads a request of this process is storing. */
  uploading: Set<string>
}

export type BundlesCtx = StoringCtx & {
  /** Rejects with `not_found` for an export outside a scope. */
  ensureInScope: (exportId: string, scope: TokenScope) => Promise<unknown>
  readHealth: () => Promise<StoreHealth>
  wake: () => void
  /** Makes one of the processes look soon for bundles in the store that the database lacks. */
  requestAdoption: () => Promise<void>
}
