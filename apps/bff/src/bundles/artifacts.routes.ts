import type { BundlesCtx } from './bundles-ctx.ts'
import { decideOnStore } from './shared-store/orphans.ts'
import { apiRoutes } from '#ground/http/api-routes.ts'
import { reportStorage } from './retention/storage-report.ts'
import { readPicture } from './pictures/pictures.ts'
import { streamFile, toCsv, type CsvColumns } from '#ground/http/csv.ts'
import type { KnownFinding } from './check/read-findings.ts'
import { decideFinding, exportFindings, listFiles, listPages, readFindings } from './check/findings.ts'
import type { Context } from 'hono'
import { readScope } from '#ground/http/access/token-scope.ts'
import type { AppEnv } from '#ground/http/app-env.ts'
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

const readAsked = (c: Context<AppEnv>, { exportId }: { exportId: string }) => ({
  exportId,
  scope: readScope(c.var.identity),
  signal: c.req.raw.signal,
})

/** `/api/storage` is only for people who see everything, because one object may belong to exports of several connections. */
export const artifactRoutes = (ctx: BundlesCtx) =>
  apiRoutes()
    .serve('GET /api/storage', (c) => reportStorage(ctx, c.req.valid('query')))
    .serve('POST /api/storage/decisions', (c) => decideOnStore(ctx, c.req.valid('json'), c.var.actor))
    .serve('GET /api/static-exports/{exportId}/artifact/pages', (c) =>
      listPages(ctx, c.req.valid('param').exportId, c.req.valid('query')),
    )
    .serve('GET /api/static-exports/{exportId}/artifact/files', (c) =>
      listFiles(ctx, c.req.valid('param').exportId, c.req.valid('query')),
    )
    .serve('GET /api/static-exports/{exportId}/artifact/picture', async (c): Promise<Response> => {
      const picture = await readPicture(ctx, c.req.valid('param').exportId)
      return c.body(picture, 200, { 'Content-Type': 'image/png' })
    })
    .serve('GET /api/static-exports/{exportId}/artifact/findings', (c) =>
      readFindings(ctx, c.req.valid('param').exportId, c.req.valid('query')),
    )
    .serve('GET /api/static-exports/{exportId}/artifact/findings.csv', async (c) => {
      const all = await exportFindings(ctx, c.req.valid('param').exportId, c.req.valid('query'))
      const texts = toCsv(findingColumns, toFindingRows(all))
      return streamFile(c, { what: 'findings', ending: 'csv', now: ctx.now(), texts })
    })
    .serve('GET /api/static-exports/{exportId}/artifact/findings.json', async (c) => {
      const all = await exportFindings(ctx, c.req.valid('param').exportId, c.req.valid('query'))
      return streamFile(c, { what: 'findings', ending: 'json', now: ctx.now(), texts: streamJson(all) })
    })
    .serve('POST /api/static-exports/{exportId}/artifact/findings/{fingerprint}/acceptance', (c) =>
      decideFinding(ctx, c.req.valid('param'), { reason: c.req.valid('json').reason, by: c.var.actor }),
    )
    .serve('DELETE /api/static-exports/{exportId}/artifact/findings/{fingerprint}/acceptance', (c) =>
      decideFinding(ctx, c.req.valid('param'), { reason: null, by: c.var.actor }),
    )
    .serve('GET /api/static-exports/{exportId}/artifact/changes', (c) =>
      compareArtifacts(ctx, readAsked(c, c.req.valid('param')), c.req.valid('query')),
    )
    .serve('GET /api/static-exports/{exportId}/artifact/changes/page', (c) =>
      comparePage(ctx, readAsked(c, c.req.valid('param')), c.req.valid('query')),
    )
    .serve('GET /api/static-exports/{exportId}/artifact/changes/note', (c) =>
      writeNote(ctx, readAsked(c, c.req.valid('param')), c.req.valid('query')),
    )
    .serve('GET /api/static-exports/{exportId}/artifact/host-configuration', async (c) => {
      const { site } = await findArtifact(ctx, c.req.valid('param').exportId)
      return configureHost(site, c.req.valid('query'))
    })
