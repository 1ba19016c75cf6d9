import type { ArtifactPartsQuery, ArtifactPages, FindingsQuery } from '@docket/api-types/artifacts'
import { findPreviewLeaks } from '@docket/site-bundle/check/preview-leaks'
import type { StoredSite } from '@docket/site-bundle/open-site'
import { listReaderPages } from '@docket/site-bundle/pages/page-address'
import { eq } from 'drizzle-orm'
import { acceptedFindings, previewViolations } from '#bundles/artifacts/artifacts.table.ts'
import type { ExportRecords } from '#bundles/artifacts/export-records.ts'
import type { Database } from '#ground/db/database.ts'
import { AppError } from '#ground/errors/app-error.ts'
import type { Actor } from '#ground/identity/actor.ts'
import { decideFinding } from './accept-finding.ts'
import type { FindingCounter } from './finding-counter.ts'
import {
  countByPage,
  countFacets,
  describeCheck,
  filterFindings,
  listFindings,
  toApiFinding,
  type KnownFinding,
} from './read-findings.ts'

type StoredArtifact = { exportId: string; sha256: string; site: Pick<StoredSite, 'manifest' | 'report'> }

/** Finds stored artifacts. `find` rejects with `not_found` unless the bundle of the export is stored. */
export type FindArtifact = (
  exportId: string,
) => Promise<StoredArtifact & { siteId: string; previous: StoredArtifact | null }>

type PageChange = ArtifactPages['pages'][number]['change']

type Dependencies = {
  db: Database
  find: FindArtifact
  counter: Pick<FindingCounter, 'prepare' | 'write'>
  exports: Pick<ExportRecords, 'countChange'>
  /** What happened to pages since the artifact before, by address. */
  readChanges: (exportId: string) => Promise<ReadonlyMap<string, PageChange>>
  /** Milliseconds since the epoch. */
  now: () => number
}

/** Sorts `page-2` before `page-10`. */
const { compare: inNaturalOrder } = new Intl.Collator('en', { numeric: true })

type Part = { skip: number; limit: number }

const cutPart = <T>(all: readonly T[], { skip, limit }: Part) => ({
  part: all.slice(skip, skip + limit),
  total: all.length,
  next: skip + limit < all.length ? skip + limit : null,
})

/** Pages, files and findings of stored artifacts. `not_found` for an export whose bundle is not stored. */
export const findingService = ({ db, find, counter, exports, readChanges, now }: Dependencies) => {
  const readPreviewed = async ({ sha256, site }: StoredArtifact) => {
    const rows = await db.select().from(previewViolations).where(eq(previewViolations.sha256, sha256))
    if (rows.length === 0) return []
    const { pages } = await site.manifest()
    const paths = new Map(pages.map(({ address, path }) => [address, path]))
    return findPreviewLeaks(rows, (page) => paths.get(page) ?? page)
  }
  const readReports = async (artifact: StoredArtifact) => ({
    report: await artifact.site.report(),
    previewed: await readPreviewed(artifact),
  })
  const readAccepted = async (siteId: string) => {
    const rows = await db.select().from(acceptedFindings).where(eq(acceptedFindings.siteId, siteId))
    return new Map(rows.map(({ fingerprint, reason, by, at }) => [fingerprint, { reason, by, at: at.toISOString() }]))
  }
  const read = async (exportId: string) => {
    const artifact = await find(exportId)
    const { siteId, previous } = artifact
    const [{ report, previewed }, before, accepted] = await Promise.all([
      readReports(artifact),
      previous === null ? null : readReports(previous),
      readAccepted(siteId),
    ])
    const findings = listFindings({ report, previewed, previous: before, accepted })
    return { artifact, report, findings, isFirst: before === null }
  }

  const decide = async (
    { exportId, fingerprint }: { exportId: string; fingerprint: string },
    reason: string | null,
    by: Actor,
  ) => {
    const { artifact, findings } = await read(exportId)
    const finding = findings.find((one) => one.fingerprint === fingerprint)
    if (finding === undefined)
      throw new AppError('not_found', 'This finding isn’t in this bundle any more. Reload the page.')
    const { siteId } = artifact
    const at = new Date(now())
    await decideFinding({ db, counter, exports }, { siteId, exportId, finding, reason, by, at })
    const accepted = (await readAccepted(siteId)).get(fingerprint) ?? null
    return toApiFinding({ ...finding, accepted })
  }

  return {
    pages: async (exportId: string, { q, under, ...part }: ArtifactPartsQuery) => {
      const { artifact, findings } = await read(exportId)
      const [{ pages }, changes] = await Promise.all([artifact.site.manifest(), readChanges(exportId)])
      const wanted = q?.toLowerCase() ?? ''
      const found = listReaderPages(pages).filter(
        ({ address, title, path }) =>
          (under === undefined || address.startsWith(`/${under}`)) &&
          (wanted === '' || [address, title, path].some((text) => text.toLowerCase().includes(wanted))),
      )
      const counts = countByPage(findings)
      const sorted = found.toSorted((one, other) => inNaturalOrder(one.address, other.address))
      const { part: shown, ...rest } = cutPart(sorted, part)
      return {
        ...rest,
        pages: shown.map(({ address, path, title, sizeBytes }) => ({
          address,
          path,
          title,
          sizeBytes,
          findings: counts.get(address) ?? { breaks: 0, leaks: 0, notes: 0 },
          change: changes.get(address) ?? null,
        })),
      }
    },
    files: async (exportId: string, { q, under, ...part }: ArtifactPartsQuery) => {
      const { site } = await find(exportId)
      const { files } = await site.manifest()
      const wanted = q?.toLowerCase() ?? ''
      const found = files.filter(
        ({ path }) => (under === undefined || path.startsWith(under)) && path.toLowerCase().includes(wanted),
      )
      const sorted = found.toSorted((one, other) => inNaturalOrder(one.path, other.path))
      const { part: shown, ...rest } = cutPart(sorted, part)
      return { ...rest, files: shown }
    },
    findings: async (exportId: string, query: FindingsQuery) => {
      const { report, findings, isFirst } = await read(exportId)
      const { part: shown, ...rest } = cutPart(filterFindings(findings, query), query)
      return {
        ...rest,
        findings: shown.map((finding) => toApiFinding(finding, query.page)),
        counts: countFacets(findings, query),
        check: describeCheck(findings, report, isFirst),
      }
    },
    /** All findings that match the filters, with all their places. */
    exportFindings: async (
      exportId: string,
      query: FindingsQuery,
    ): Promise<{ now: number; findings: KnownFinding[] }> => {
      const { findings } = await read(exportId)
      return { now: now(), findings: filterFindings(findings, query) }
    },
    /** Accepts a cause for all artifacts of the site. `not_found` for one that the artifact does not have. */
    accept: (which: { exportId: string; fingerprint: string }, reason: string, by: Actor) => decide(which, reason, by),
    /** Takes an acceptance back. */
    withdraw: (which: { exportId: string; fingerprint: string }, by: Actor) => decide(which, null, by),
  }
}

/** Pages, files and findings of stored artifacts. */
export type FindingService = ReturnType<typeof findingService>
