import type { FindingLevel } from '@docket/api-types/artifacts'
import { findPreviewLeaks } from '@docket/site-bundle/check/preview-leaks'
import type { StoredSite } from '@docket/site-bundle/open-site'
import { eq } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import { acceptedFindings, previewViolations, storedBundles } from '#bundles/artifacts/artifacts.table.ts'
import type { Database } from '#ground/db/database.ts'
import { AppError } from '#ground/errors/app-error.ts'

/** A cause in the report of a bundle. The sentence contains text from the bundle, so it is untrusted. */
type BundleFinding = { fingerprint: string; level: FindingLevel; rule: string; sentence: string }

/** What the checks before publishing know about a bundle. `unfinished`: why its check did not finish; null when it did. */
export type BundleFacts = {
  unfinished: string | null
  pages: number
  sizeBytes: number
  findings: readonly BundleFinding[]
}

const maxReports = 50

type KnownReport = { unfinished: string | null; findings: BundleFinding[] }

/** Reads what the checks before publishing compare: the report of a bundle, what previews saw, and what people accepted for the site. */
export const createBundleReports = ({ db, openSite }: { db: Database; openSite: (sha256: string) => StoredSite }) => {
  const known = new LRUCache<string, KnownReport>({ max: maxReports })

  const readReport = async (sha256: string): Promise<KnownReport> => {
    const cached = known.get(sha256)
    if (cached !== undefined) return cached
    const { findings, unfinished } = await openSite(sha256).report()
    const report = {
      unfinished,
      findings: findings.map(({ fingerprint, level, rule, sentence }) => ({ fingerprint, level, rule, sentence })),
    }
    known.set(sha256, report)
    return report
  }

  return {
    /** Throws `conflict` for a bundle that Docket no longer has, and passes on errors of the store. */
    read: async (sha256: string): Promise<BundleFacts> => {
      const [[bundle], seen] = await Promise.all([
        db.select().from(storedBundles).where(eq(storedBundles.sha256, sha256)),
        db.select().from(previewViolations).where(eq(previewViolations.sha256, sha256)),
      ])
      if (bundle?.state !== 'stored')
        throw new AppError(
          'conflict',
          'Docket no longer has this bundle, so it cannot be compared. Choose another one.',
        )
      const { findings, unfinished } = await readReport(sha256)
      const { pages, sizeBytes } = bundle
      return { unfinished, pages, sizeBytes, findings: [...findings, ...findPreviewLeaks(seen, (page) => page)] }
    },
    /** Fingerprints of the causes that people accepted for a site. */
    readAccepted: async (siteId: string): Promise<ReadonlySet<string>> => {
      const rows = await db
        .select({ fingerprint: acceptedFindings.fingerprint })
        .from(acceptedFindings)
        .where(eq(acceptedFindings.siteId, siteId))
      return new Set(rows.map(({ fingerprint }) => fingerprint))
    },
  }
}
