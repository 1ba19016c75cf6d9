import type {
  ChangedPage,
  Comparison,
  ComparisonQuery,
  PageComparison,
  PageComparisonQuery,
  ReleaseNote,
} from '@docket/api-types/comparisons'
import { writeReleaseNote } from '@docket/site-bundle/comparison/release-note'
import { comparePageInWorker } from '@docket/site-bundle/comparison/worker/compare-in-worker'
import type { SiteComparison } from '@docket/site-bundle/comparison/site-comparison'
import type { StoredSite } from '@docket/site-bundle/open-site'
import { inTurnPerKey } from '@docket/once'
import { and, eq, isNull, or, sql } from 'drizzle-orm'
import { isArtifact } from '#bundles/artifacts/artifacts.rows.ts'
import { artifacts } from '#bundles/artifacts/artifacts.table.ts'
import type { ExportRecords } from '#bundles/artifacts/export-records.ts'
import type { FoundArtifact } from '#bundles/artifacts/find-artifact.ts'
import { explainStore } from '#bundles/artifacts/explain-store.ts'
import type { Database } from '#ground/db/database.ts'
import { AppError } from '#ground/errors/app-error.ts'
import type { TokenScope } from '#ground/http/access/token-scope.ts'
import { readComparedArtifacts } from './compared-artifacts.ts'
import type { ComparisonKeeper } from './comparison-keeper.ts'

/** Time for the words of one page. Milliseconds. */
const pageMs = 60_000

const firstOfSite = () =>
  new AppError(
    'not_found',
    'No export of this site was stored before this one, so there is nothing to compare it with. Choose another export.',
  )
const otherSite = () =>
  new AppError('invalid_request', 'The exports are of different sites. Choose another export of the same site.', {
    field: 'against',
  })

/** Compares stored bundles for readers. */
export const comparisonService = (deps: {
  db: Database
  /** Rejects with `not_found` unless the bundle of the export is stored. */
  find: (exportId: string) => Promise<FoundArtifact>
  load: ComparisonKeeper['load']
  findKept: ComparisonKeeper['findKept']
  exports: Pick<ExportRecords, 'countChange'>
  /** Rejects with `not_found` for an export outside a scope. */
  ensureInScope: (exportId: string, scope: TokenScope) => Promise<unknown>
}) => {
  const { db, find, load, findKept, exports, ensureInScope } = deps
  const inTurn = inTurnPerKey()

  const findPair = async (exportId: string, against: string | undefined, scope: TokenScope) => {
    const later = await find(exportId)
    const other = against ?? later.previous?.exportId
    if (other === undefined) throw firstOfSite()
    await ensureInScope(other, scope)
    if (against === undefined) return { earlier: later.previous!, later }
    const earlier = await find(against)
    if (earlier.siteId !== later.siteId) throw otherSite()
    return { earlier, later }
  }
  const describe = async ({ earlier, later }: Awaited<ReturnType<typeof findPair>>) => {
    const compared = { earlier: earlier.exportId, later: later.exportId }
    const described = await readComparedArtifacts(db, later.siteId, compared)
    if (!described) throw new AppError('not_found', 'One of these exports was deleted meanwhile. Reload the page.')
    return described
  }

  /** Writes the changes of an artifact that were not counted when it was stored, or were counted since one that is gone by now. */
  const noteChanges = (later: FoundArtifact, comparedWith: string, counts: SiteComparison['counts']) =>
    db.transaction(async (tx) => {
      const { added: pagesAdded, removed: pagesRemoved, changed: pagesChanged, moved: pagesMoved } = counts
      const isOther = or(isNull(artifacts.pagesAdded), sql`${artifacts.comparedWith} is distinct from ${comparedWith}`)
      const noted = await tx
        .update(artifacts)
        .set({ comparedWith, pagesAdded, pagesRemoved, pagesChanged, pagesMoved })
        .where(and(isArtifact(later.exportId), eq(artifacts.sha256, later.sha256), isOther))
        .returning({ exportId: artifacts.exportId })
      if (noted.length > 0) await exports.countChange(tx, [later.exportId])
    })

  return {
    compare: async (exportId: string, query: ComparisonQuery, scope: TokenScope): Promise<Comparison> => {
      const pair = await findPair(exportId, query.against, scope)
      const [comparison, described] = await Promise.all([load(pair.earlier, pair.later), describe(pair)])
      const { counts, shared, files, unread } = comparison
      const { earlier, later } = pair
      if (earlier.exportId === later.previous?.exportId) await noteChanges(later, earlier.exportId, counts)
      const matches = comparison.pages.filter((page) => isMatch(page, query))
      const end = query.skip + query.limit
      return {
        ...described,
        counts,
        shared,
        files,
        unread,
        pages: matches.slice(query.skip, end),
        total: matches.length,
        next: end < matches.length ? end : null,
      }
    },
    comparePage: async (
      exportId: string,
      { against, address }: PageComparisonQuery,
      scope: TokenScope,
      signal: AbortSignal,
    ): Promise<PageComparison> => {
      const { earlier, later } = await findPair(exportId, against, scope)
      const changes = (await load(earlier, later)).pages.filter((change) => change.address === address)
      const page = changes.find(({ kind }) => kind !== 'removed') ?? changes[0]
      if (!page) throw new AppError('not_found', 'This page is the same in both exports, or in neither of them.')
      const findPath = async (site: StoredSite, wanted: string) => {
        const pages = (await site.manifest()).pages.filter(({ redirectsTo }) => redirectsTo === null)
        // A page keeps its place when only the slash at the end of its address changed.
        const find = (spelling: string) => pages.find((one) => one.address === spelling)?.path
        return find(wanted) ?? find(`${wanted}/`) ?? find(wanted.replace(/\/$/, '')) ?? null
      }
      const paths = {
        earlier: page.kind === 'added' ? null : await findPath(earlier.site, page.from ?? address),
        later: page.kind === 'removed' ? null : await findPath(later.site, address),
      }
      const sites = { earlier: earlier.site, later: later.site }
      const words = await inTurn('words', async () => {
        const timeout = AbortSignal.timeout(pageMs)
        const comparing = comparePageInWorker(sites, paths, AbortSignal.any([signal, timeout]))
        return explainStore(comparing).catch((error: unknown) => {
          if (!timeout.aborted) throw error
          throw new AppError(
            'busy',
            'Docket stopped comparing this page after a minute. Try again when it has less to do.',
            {
              cause: error,
            },
          )
        })
      })
      return { page, ...words }
    },
    /** What happened to the pages of an export since the one before, by address. Empty while nobody compared them. */
    readChanges: async (exportId: string): Promise<ReadonlyMap<string, 'added' | 'changed' | 'moved'>> => {
      const later = await find(exportId)
      const kept = later.previous && (await findKept(later.previous, later))
      return new Map(
        kept?.pages.flatMap(({ kind, address }) => (kind === 'removed' ? [] : [[address, kind] as const])) ?? [],
      )
    },
    writeNote: async (exportId: string, { against }: ComparisonQuery, scope: TokenScope): Promise<ReleaseNote> => {
      const pair = await findPair(exportId, against, scope)
      const [comparison, described] = await Promise.all([load(pair.earlier, pair.later), describe(pair)])
      const toNoted = ({ version, startedAt }: typeof described.earlier) => ({ version, date: startedAt.slice(0, 10) })
      const sides = { earlier: toNoted(described.earlier), later: toNoted(described.later) }
      return { markdown: writeReleaseNote(comparison, sides) }
    },
  }
}

export type ComparisonService = ReturnType<typeof comparisonService>

const isMatch = ({ kind, title, address, from }: ChangedPage, query: Pick<ComparisonQuery, 'kind' | 'q'>) => {
  if (query.kind !== undefined && query.kind !== kind) return false
  const text = query.q?.toLowerCase() ?? ''
  return text === '' || [title, address, from ?? ''].some((part) => part.toLowerCase().includes(text))
}
