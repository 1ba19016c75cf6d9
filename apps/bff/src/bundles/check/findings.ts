import type { ArtifactPages, ArtifactPartsQuery, FindingsQuery } from '@docket/api-types/artifacts'
import { findPreviewLeaks } from '@docket/site-bundle/check/preview-leaks'
import type { StoredSite } from '@docket/site-bundle/open-site'
import { listReaderPages } from '@docket/site-bundle/locator/page-address'
import { and, eq } from 'drizzle-orm'
import { acceptedFindings, previewViolations } from '#bundles/artifacts/artifacts.table.ts'
import { findArtifact } from '#bundles/artifacts/find-artifact.ts'
import type { BundlesCtx } from '#bundles/bundles-ctx.ts'
import { cutPart, readChanges } from '#bundles/comparison/comparisons.ts'
import { recordAudit } from '#ground/audit/audit.ts'
import type { Database } from '#ground/db/database.ts'
import { sites } from '#ground/db/sites.table.ts'
import { AppError } from '#ground/errors/app-error.ts'
import type { Actor } from '#ground/identity/identity.ts'
import { lockSite } from './finding-counter.ts'
import {
  countByPage,
  countFacets,
  describeCheck,
  filterFindings,
  type KnownFinding,
  listFindings,
  toApiFinding,
} from './read-findings.ts'

type Bundle = { sha256: string; site: StoredSite }

/** Sorts `page-2` before `page-10`. */
const { compare: inNaturalOrder } = new Intl.Collator('en', { numeric: true })

const readPreviewFindings = async (db: Database, { sha256, site }: Bundle) => {
  const rows = await db.select().from(previewViolations).where(eq(previewViolations.sha256, sha256))
  if (rows.length === 0) return []
  const { pages } = await site.manifest()
  const paths = new Map(pages.map(({ address, path }) => [address, path]))
  return findPreviewLeaks(rows, (page) => paths.get(page) ?? page)
}
const readReports = async (db: Database, artifact: Bundle) => ({
  report: await artifact.site.report(),
  previewed: await readPreviewFindings(db, artifact),
})
const readAcceptedFindings = async (db: Database, siteId: string) => {
  const rows = await db.select().from(acceptedFindings).where(eq(acceptedFindings.siteId, siteId))
  return new Map(rows.map(({ fingerprint, reason, by, at }) => [fingerprint, { reason, by, at: at.toISOString() }]))
}
const readArtifactFindings = async (ctx: BundlesCtx, exportId: string) => {
  const { db } = ctx
  const artifact = await findArtifact(ctx, exportId)
  const { siteId, previous } = artifact
  const [{ report, previewed }, before, accepted] = await Promise.all([
    readReports(db, artifact),
    previous === null ? null : readReports(db, previous),
    readAcceptedFindings(db, siteId),
  ])
  const findings = listFindings({ report, previewed, previous: before, accepted })
  return { artifact, report, findings, isFirst: before === null }
}

export const listPages = async (
  ctx: BundlesCtx,
  exportId: string,
  { q, under, ...part }: ArtifactPartsQuery,
): Promise<ArtifactPages> => {
  const { artifact, findings } = await readArtifactFindings(ctx, exportId)
  const [{ pages }, changes] = await Promise.all([artifact.site.manifest(), readChanges(ctx, exportId)])
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
}

export const listFiles = async (ctx: BundlesCtx, exportId: string, { q, under, ...part }: ArtifactPartsQuery) => {
  const { site } = await findArtifact(ctx, exportId)
  const { files } = await site.manifest()
  const wanted = q?.toLowerCase() ?? ''
  const found = files.filter(
    ({ path }) => (under === undefined || path.startsWith(under)) && path.toLowerCase().includes(wanted),
  )
  const sorted = found.toSorted((one, other) => inNaturalOrder(one.path, other.path))
  const { part: shown, ...rest } = cutPart(sorted, part)
  return { ...rest, files: shown }
}

export const readFindings = async (ctx: BundlesCtx, exportId: string, query: FindingsQuery) => {
  const { report, findings, isFirst } = await readArtifactFindings(ctx, exportId)
  const { part: shown, ...rest } = cutPart(filterFindings(findings, query), query)
  return {
    ...rest,
    findings: shown.map((finding) => toApiFinding(finding, query.page)),
    counts: countFacets(findings, query),
    check: describeCheck(findings, report, isFirst),
  }
}

export const exportFindings = async (
  ctx: BundlesCtx,
  exportId: string,
  query: FindingsQuery,
): Promise<KnownFinding[]> => filterFindings((await readArtifactFindings(ctx, exportId)).findings, query)

/**
 * Accepts a cause for all artifacts of the site, or withdraws the acceptance when `reason` is null. Audits that and updates the counts of
 * the artifacts. A repeated request changes nothing. Throws `not_found` for a cause that the artifact does not have.
 */
export const decideFinding = async (
  ctx: BundlesCtx,
  { exportId, fingerprint }: { exportId: string; fingerprint: string },
  { reason, by }: { reason: string | null; by: Actor },
) => {
  const { db, counter, exports, now } = ctx
  const { artifact, findings } = await readArtifactFindings(ctx, exportId)
  const finding = findings.find((one) => one.fingerprint === fingerprint)
  if (finding === undefined)
    throw new AppError('not_found', 'This finding isn’t in this bundle any more. Reload the page.')
  const { siteId } = artifact
  const at = new Date(now())
  await counter.prepare(siteId)
  await db.transaction(async (tx) => {
    // Decisions are made one after another, so that the last one leaves correct counts.
    await lockSite(tx, siteId)
    const [site] = await tx.select({ domain: sites.domain }).from(sites).where(eq(sites.siteId, siteId))
    const { rule, target } = finding
    const isThis = and(eq(acceptedFindings.siteId, siteId), eq(acceptedFindings.fingerprint, fingerprint))
    if (reason === null) {
      const removed = await tx
        .delete(acceptedFindings)
        .where(isThis)
        .returning({ fingerprint: acceptedFindings.fingerprint })
      if (removed.length === 0) return
    } else {
      const set = { reason, by: by.name ?? '', at }
      await tx
        .insert(acceptedFindings)
        .values({ siteId, fingerprint, ...set })
        .onConflictDoUpdate({ target: [acceptedFindings.siteId, acceptedFindings.fingerprint], set })
    }
    await recordAudit(tx, by, {
      action: reason === null ? 'finding.acceptance_withdrawn' : 'finding.accepted',
      at,
      target: { type: 'static_export', id: exportId, name: site?.domain ?? null },
      details: { rule, target, fingerprint, ...(reason === null ? {} : { reason }) },
    })
    await exports.countChange(tx, await counter.write(tx, siteId))
  })
  const accepted = (await readAcceptedFindings(db, siteId)).get(fingerprint) ?? null
  return toApiFinding({ ...finding, accepted })
}
