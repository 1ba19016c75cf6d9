import type { Artifact, FindingCounts, NotStoredReason } from '@docket/api-types/artifacts'
import type { InferSelectModel } from 'drizzle-orm'
import type { artifacts, storedBundles } from './artifacts.table.ts'

export type ArtifactRow = InferSelectModel<typeof artifacts>
type BundleRow = InferSelectModel<typeof storedBundles>

/** `isSurplus`: its site has enough newer ones, so retention deletes it once it is old. `isLive`: a channel shows it. */
export type KnownArtifact = { artifact: ArtifactRow; bundle: BundleRow | null; isSurplus: boolean; isLive: boolean }

type StoreProblem = Extract<NotStoredReason, 'off' | 'not_shared'>

/** The store as this process sees it. `name` is compared with the store of each bundle; null while the store does not answer. */
export type StoreView = { name: string | null; problem: StoreProblem | null; retentionDays: number }

const dayMs = 86_400_000

export const reasonSentences: Readonly<Record<NotStoredReason, string>> = {
  not_asked: 'This export completed before Docket saved bundles. Save it now if the service still has the bundle.',
  off: 'Docket saves no bundles here. Set ARTIFACTS=on to save those of later exports.',
  not_shared:
    'Several Docket processes run without a store that they share. Set ARTIFACT_S3_BUCKET, or give all of them the same ARTIFACT_STORE_DIR.',
  disk_full: 'The disk of the store is full. Free some space or delete saved bundles, then try again.',
  no_bundle: 'The service no longer has the bundle. Export the site again.',
  too_large: 'The bundle is larger than ARTIFACT_MAX_BYTES allows. Raise that limit, then try again.',
  not_an_archive: 'The bundle is no archive that Docket can read. Download it to see what the service sent.',
  refused:
    'The archive is unsafe, so Docket does not keep it. Export the site again, or ask the operator of the service.',
  failed: 'Docket could not fetch or save the bundle. Try again.',
  retention: 'Docket deleted it as one of the oldest of the site. Save it again, and keep it for good.',
  deleted: 'Somebody deleted it from Docket. Save it again if the service still has the bundle.',
  not_restored:
    'The bundle is missing from the store. Connect the store that has it, or save it again if the service still has the bundle.',
}

const lostStore = 'The bundle is in a store that Docket no longer uses. Connect that store again, or save it again.'

const none: Omit<Artifact, 'state' | 'reason' | 'detail'> = {
  progress: null,
  sha256: null,
  sizeBytes: null,
  contentBytes: null,
  files: null,
  pages: null,
  storedAt: null,
  kept: false,
  deletedAfter: null,
  check: null,
  change: null,
}

export const toNotStored = (reason: NotStoredReason, detail: string | null = null): Artifact => ({
  ...none,
  state: 'not_stored',
  reason,
  detail: detail ?? reasonSentences[reason],
})

/** Returns why this process cannot read a stored bundle. Null when it can. */
const findReadProblem = ({ bundle }: Pick<KnownArtifact, 'bundle'>, { name, problem }: StoreView): Artifact | null => {
  if (problem === 'not_shared') return toNotStored(problem)
  if (bundle?.state === 'missing') return toNotStored('not_restored')
  if (bundle?.state !== 'stored') return toNotStored('failed', lostStore)
  const isElsewhere = name !== null && bundle.store !== null && bundle.store !== name
  return isElsewhere ? toNotStored('failed', lostStore) : null
}

export const isReadable = (bundle: BundleRow, view: StoreView): boolean => findReadProblem({ bundle }, view) === null

const toFindingCounts = (breaks: number | null, leaks: number | null, notes: number | null): FindingCounts | null =>
  breaks === null ? null : { breaks, leaks: leaks ?? 0, notes: notes ?? 0 }

export const toArtifact = (known: KnownArtifact, view: StoreView): Artifact => {
  const { artifact, bundle, isSurplus, isLive } = known
  if (artifact.state === 'not_stored') return toNotStored(artifact.reason ?? 'failed', artifact.detail)
  if (artifact.state === 'storing')
    return {
      ...none,
      state: 'storing',
      madePortable: artifact.madePortable,
      reason: null,
      detail: artifact.detail,
      progress: artifact.phase && { phase: artifact.phase, done: artifact.done ?? 0, total: artifact.total },
    }
  const loss = findReadProblem(known, view)
  if (loss !== null) return loss
  const { kept, storedAt } = artifact
  const findings = toFindingCounts(artifact.breaks, artifact.leaks, artifact.notes)
  const goesAt = isSurplus && !kept && storedAt !== null ? storedAt.getTime() + view.retentionDays * dayMs : null
  return {
    state: 'stored',
    reason: null,
    detail: null,
    progress: null,
    sha256: artifact.sha256,
    sizeBytes: bundle!.sizeBytes,
    contentBytes: bundle!.contentBytes,
    files: bundle!.files,
    pages: bundle!.pages,
    storedAt: storedAt?.toISOString() ?? null,
    kept,
    madePortable: artifact.madePortable,
    isLive,
    hasPicture: bundle!.picture === 'taken',
    deletedAfter: goesAt === null ? null : new Date(goesAt).toISOString(),
    check: findings && {
      state: bundle!.checkUnfinished === null ? 'finished' : 'not_finished',
      detail: bundle!.checkUnfinished,
      findings,
      added: toFindingCounts(artifact.newBreaks, artifact.newLeaks, artifact.newNotes),
    },
    change:
      artifact.comparedWith === null || artifact.pagesAdded === null
        ? null
        : {
            against: artifact.comparedWith,
            added: artifact.pagesAdded,
            removed: artifact.pagesRemoved ?? 0,
            changed: artifact.pagesChanged ?? 0,
            moved: artifact.pagesMoved ?? 0,
          },
  }
}
