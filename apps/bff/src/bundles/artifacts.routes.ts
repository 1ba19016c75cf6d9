import type { BundlesCtx } from './bundles-ctx.ts'
import { decideOnStore } from './shared-store/orphans.ts'
import { apiRoutes } from '#ground/http/api-routes.ts'
import { reportStorage } from './retention/storage-report.ts'
import { readPicture } from './pictures/pictures.ts'
import { streamFile, toCsv, type CsvColumns } from '#ground/http/csv.ts'
import type { KnownFinding } from './check/read-findings.ts'
import { decideFinding, exportFindings, listFiles, listPages, readFindings } from './check/findings.ts'
import { compareArtifacts, comparePage, writeNote } from './comparison/comparisons.ts'
import { findArtifact } from './artifacts/find-artifact.ts'
import { configureHost } from './host-configuration/host-configuration.ts'

type FindingRow = { finding: KnownFinding; place: KnownFinding['places'][number] | null }

const findingColumns: CsvColumns<FindingRow> = {
  level: ({ finding }) => finding.level,
  rule: ({ finding }) => finding.rule,
  finding: ({ finding }) => finding.sentence,
  target: ({ finding }) => finding.target,
  places: ({ finding }) => finding.total,
  state: ({ finding }) => finding.state,
  seen_by: ({ finding }) => finding.seenBy,
  accepted_reason: ({ finding }) => finding.accepted?.reason ?? null,
  accepted_by: ({ finding }) => finding.accepted?.by ?? null,
  accepted_at: ({ finding }) => finding.accepted?.at ?? null,
  page: ({ place }) => place?.page ?? null,
  file: ({ place }) => place?.path ?? null,
  line: ({ place }) => place?.line ?? null,
  excerpt: ({ place }) => place?.excerpt ?? null,
  fingerprint: ({ finding }) => finding.fingerprint,
}

async function* toFindingRows(findings: readonly KnownFinding[]): AsyncGenerator<FindingRow[]> {
  for (const finding of findings) {
    const places = finding.places.length === 0 ? [null] : finding.places
    yield places.map((place) => ({ finding, place }))
  }
}

async function* streamJson(all: readonly object[]) {
  yield '[\n'
  for (const [place, one] of all.entries()) yield `${JSON.stringify(one)}${place + 1 < all.length ? ',' : ''}\n`
  yield ']\n'
}

/** `/api/storage` is only for people who see everything, because one object may belong to exports of several connections. */
export const artifactRoutes = (ctx: BundlesCtx) =>
  apiRoutes()
    .serve('GET /api/storage', ({ query }) => reportStorage(ctx, query))
    .serve('POST /api/storage/decisions', ({ body, by }) => decideOnStore(ctx, body, by))
    .serve('GET /api/static-exports/{exportId}/artifact/pages', ({ exportId, query }) =>
      listPages(ctx, exportId, query),
    )
    .serve('GET /api/static-exports/{exportId}/artifact/files', ({ exportId, query }) =>
      listFiles(ctx, exportId, query),
    )
    .serve('GET /api/static-exports/{exportId}/artifact/picture', async ({ exportId }, c): Promise<Response> => {
      const picture = await readPicture(ctx, exportId)
      return c.body(picture, 200, { 'Content-Type': 'image/png' })
    })
    .serve('GET /api/static-exports/{exportId}/artifact/findings', ({ exportId, query }) =>
      readFindings(ctx, exportId, query),
    )
    .serve('GET /api/static-exports/{exportId}/artifact/findings.csv', async ({ exportId, query }, c) => {
      const all = await exportFindings(ctx, exportId, query)
      const texts = toCsv(findingColumns, toFindingRows(all))
      return streamFile(c, { what: 'findings', ending: 'csv', now: ctx.now(), texts })
    })
    .serve('GET /api/static-exports/{exportId}/artifact/findings.json', async ({ exportId, query }, c) => {
      const all = await exportFindings(ctx, exportId, query)
      return streamFile(c, { what: 'findings', ending: 'json', now: ctx.now(), texts: streamJson(all) })
    })
    .serve('POST /api/static-exports/{exportId}/artifact/findings/{fingerprint}/acceptance', ({ params, body, by }) =>
      decideFinding(ctx, params, { reason: body.reason, by }),
    )
    .serve('DELETE /api/static-exports/{exportId}/artifact/findings/{fingerprint}/acceptance', ({ params, by }) =>
      decideFinding(ctx, params, { reason: null, by }),
    )
    .serve('GET /api/static-exports/{exportId}/artifact/changes', ({ exportId, query, scope }) =>
      compareArtifacts(ctx, { exportId, scope }, query),
    )
    .serve('GET /api/static-exports/{exportId}/artifact/changes/page', ({ exportId, query, scope }, c) =>
      comparePage(ctx, { exportId, scope, signal: c.req.raw.signal }, query),
    )
    .serve('GET /api/static-exports/{exportId}/artifact/changes/note', ({ exportId, query, scope }) =>
      writeNote(ctx, { exportId, scope }, query),
    )
    .serve('GET /api/static-exports/{exportId}/artifact/host-configuration', async ({ exportId, query }) => {
      const { site } = await findArtifact(ctx, exportId)
      return configureHost(site, query)
    })
