import type {
  ChangedPage,
  Comparison,
  ComparisonQuery,
  PageComparison,
  PageComparisonQuery,
  ReleaseNote,
  ComparedArtifact,
} from '@docket/api-types/comparisons'
import { writeReleaseNote } from '@docket/site-bundle/comparison/release-note'
import { comparePageInWorker } from '@docket/site-bundle/comparison/worker/compare-in-worker'
import type { SiteComparison } from '@docket/site-bundle/comparison/site-comparison'
import type { StoredSite } from '@docket/site-bundle/open-site'
import { and, eq, isNull, or, sql } from 'drizzle-orm'
import { isArtifact } from '#bundles/artifacts/artifacts.rows.ts'
import { artifacts } from '#bundles/artifacts/artifacts.table.ts'
import { findArtifact, type FoundArtifact } from '#bundles/artifacts/find-artifact.ts'
import { explainStoreFailures } from '#bundles/artifacts/store-failures.ts'
import type { BundlesCtx } from '#bundles/bundles-ctx.ts'
import type { Database } from '#ground/db/database.ts'
import { AppError, refusedFieldError } from '#ground/errors/app-error.ts'
import type { TokenScope } from '#ground/http/access/token-scope.ts'

const maxOthers = 50

type Row = { exportId: string; startedAt: Date; version: string | null; pages: number }

const toCompared = ({ exportId, startedAt, version, pages }: Row): ComparedArtifact => ({
  exportId,
  startedAt: new Date(startedAt).toISOString(),
  version,
  pages,
})

/** Null when one of the two no longer exists. */
const readComparedArtifacts = async (
  db: Database,
  siteId: string,
  compared: { earlier: string; later: string },
): Promise<{ earlier: ComparedArtifact; later: ComparedArtifact; others: ComparedArtifact[] } | null> => {
  const { rows } = await db.execute<Row>(sql`
    select a.export_id as "exportId", e.started_at as "startedAt", e.version, b.pages
    from artifacts a
    join stored_bundles b on b.sha256 = a.sha256
    join static_exports e on e.export_id = a.export_id and e.removed_at is null
    where a.site_id = ${siteId} and a.state = 'stored'
    order by a.export_id in (${compared.earlier}::uuid, ${compared.later}::uuid) desc, e.started_at desc, a.export_id
    limit ${maxOthers + 2}`)
  const find = (exportId: string) => rows.find((row) => row.exportId === exportId)
  const [earlier, later] = [find(compared.earlier), find(compared.later)]
  if (!earlier || !later) return null
  const others = rows.filter((row) => row !== earlier && row !== later).slice(0, maxOthers)
  return { earlier: toCompared(earlier), later: toCompared(later), others: others.map(toCompared) }
}

/** Time limit for comparing the words of one page. Milliseconds. */
const pageMs = 60_000

const firstOfSiteError = () =>
  new AppError(
    'not_found',
    'No export of this site was saved before this one, so there is nothing to compare it with. Choose another export.',
  )
const otherSiteError = () =>
  refusedFieldError('against', 'The exports are of different sites. Choose another export of the same site.')

type Asked = { exportId: string; scope: TokenScope }

/** `against` undefined means the previous artifact. Throws `not_found` unless both are stored and within `scope`. */
const findPair = async (ctx: BundlesCtx, { exportId, scope }: Asked, against: string | undefined) => {
  const later = await findArtifact(ctx, exportId)
  const other = against ?? later.previous?.exportId
  if (other === undefined) throw firstOfSiteError()
  await ctx.ensureInScope(other, scope)
  if (against === undefined) return { earlier: later.previous!, later }
  const earlier = await findArtifact(ctx, against)
  if (earlier.siteId !== later.siteId) throw otherSiteError()
  return { earlier, later }
}

const describePair = async (db: Database, { earlier, later }: Awaited<ReturnType<typeof findPair>>) => {
  const compared = { earlier: earlier.exportId, later: later.exportId }
  const described = await readComparedArtifacts(db, later.siteId, compared)
  if (!described) throw new AppError('not_found', 'One of these exports was deleted meanwhile. Reload the page.')
  return described
}

/** Writes only when the counts are missing, or refer to an artifact that no longer exists. */
const recordChanges = (
  { db, exports }: BundlesCtx,
  later: FoundArtifact,
  { comparedWith, counts }: { comparedWith: string; counts: SiteComparison['counts'] },
) =>
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

/** `next` is null after the last part. */
export const cutPart = <T>(all: readonly T[], { skip, limit }: { skip: number; limit: number }) => ({
  part: all.slice(skip, skip + limit),
  total: all.length,
  next: skip + limit < all.length ? skip + limit : null,
})

const isMatch = ({ kind, title, address, from }: ChangedPage, query: Pick<ComparisonQuery, 'kind' | 'q'>) => {
  if (query.kind !== undefined && query.kind !== kind) return false
  const text = query.q?.toLowerCase() ?? ''
  return text === '' || [title, address, from ?? ''].some((part) => part.toLowerCase().includes(text))
}

export const compareArtifacts = async (ctx: BundlesCtx, asked: Asked, query: ComparisonQuery): Promise<Comparison> => {
  const pair = await findPair(ctx, asked, query.against)
  const [comparison, described] = await Promise.all([
    ctx.comparing.load(pair.earlier, pair.later),
    describePair(ctx.db, pair),
  ])
  const { counts, shared, files, unread } = comparison
  const { earlier, later } = pair
  if (earlier.exportId === later.previous?.exportId)
    await recordChanges(ctx, later, { comparedWith: earlier.exportId, counts })
  const matches = comparison.pages.filter((page) => isMatch(page, query))
  const { part: pages, ...rest } = cutPart(matches, query)
  return { ...described, counts, shared, files, unread, pages, ...rest }
}

export const comparePage = async (
  ctx: BundlesCtx,
  asked: Asked & { signal: AbortSignal },
  { against, address }: PageComparisonQuery,
): Promise<PageComparison> => {
  const { earlier, later } = await findPair(ctx, asked, against)
  const changes = (await ctx.comparing.load(earlier, later)).pages.filter((change) => change.address === address)
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
  const words = await ctx.inTurn('words', async () => {
    const timeout = AbortSignal.timeout(pageMs)
    const comparing = comparePageInWorker(sites, paths, AbortSignal.any([asked.signal, timeout]))
    return explainStoreFailures(comparing).catch((error: unknown) => {
      if (!timeout.aborted) throw error
      throw new AppError(
        'busy',
        'Docket stopped comparing this page after a minute. Try again when it has less to do.',
        { cause: error },
      )
    })
  })
  return { page, ...words }
}

/** Changes of the pages of an export since the previous one, by address. Empty until the two were compared. */
export const readChanges = async (
  ctx: BundlesCtx,
  exportId: string,
): Promise<ReadonlyMap<string, 'added' | 'changed' | 'moved'>> => {
  const later = await findArtifact(ctx, exportId)
  const kept = later.previous && (await ctx.comparing.findKept(later.previous, later))
  return new Map(
    kept?.pages.flatMap(({ kind, address }) => (kind === 'removed' ? [] : [[address, kind] as const])) ?? [],
  )
}

export const writeNote = async (ctx: BundlesCtx, asked: Asked, { against }: ComparisonQuery): Promise<ReleaseNote> => {
  const pair = await findPair(ctx, asked, against)
  const [comparison, described] = await Promise.all([
    ctx.comparing.load(pair.earlier, pair.later),
    describePair(ctx.db, pair),
  ])
  const toSide = ({ version, startedAt }: typeof described.earlier) => ({ version, date: startedAt.slice(0, 10) })
  const sides = { earlier: toSide(described.earlier), later: toSide(described.later) }
  return { markdown: writeReleaseNote(comparison, sides) }
}
