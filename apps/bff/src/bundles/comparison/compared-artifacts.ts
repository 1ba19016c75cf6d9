import type { ComparedArtifact } from '@docket/api-types/comparisons'
import { sql } from 'drizzle-orm'
import type { Database } from '#ground/db/database.ts'

/** Other artifacts of a site that a reader can choose. */
const maxOthers = 50

type Row = { exportId: string; startedAt: Date; version: string | null; pages: number }

const toCompared = ({ exportId, startedAt, version, pages }: Row): ComparedArtifact => ({
  exportId,
  startedAt: new Date(startedAt).toISOString(),
  version,
  pages,
})

/** Reads the stored artifacts of a site: those of a comparison, and the newest others. */
export const readComparedArtifacts = async (
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
