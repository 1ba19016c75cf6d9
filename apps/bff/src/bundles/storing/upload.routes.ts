import { StartedStaticExport } from '@docket/api-types/static-exports'
import type { ExportsCtx } from '#records/static-exports/exports-ctx.ts'
import { getExport } from '#records/static-exports/read-exports.ts'
import { apiRoutes } from '#ground/http/api-routes.ts'
import { ensureMayUse } from '#ground/http/access/access.ts'
import { readScope } from '#ground/http/access/token-scope.ts'
import type { BundleUpload } from './upload-bundle.ts'

/** Reads the body directly from Node, because a copy through web streams would double the work. */
export const uploadRoutes = (uploadBundle: BundleUpload, records: ExportsCtx) =>
  apiRoutes().serve('POST /api/static-exports/upload', async (_, c) => {
    const { incoming } = c.env
    const length = Number(c.req.header('content-length') ?? Number.NaN)
    const sizeBytes = Number.isSafeInteger(length) ? length : null
    // The response to a refused upload needs the connection, on which the rest of the upload still arrives.
    const bytes = incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>
    c.header('Connection', 'close')
    const readScopeNow = async () => {
      const identity = await c.var.identifyAgain()
      ensureMayUse(c, identity)
      return readScope(identity)
    }
    const { exportId, notes } = await uploadBundle(
      c.req.valid('query'),
      { bytes, sizeBytes },
      { by: c.var.actor, readScope: readScopeNow, signal: c.req.raw.signal },
    )
    const started: StartedStaticExport = { export: await getExport(records, exportId), domainNotes: notes }
    return started.export.artifact?.state === 'storing' ? c.json(StartedStaticExport.parse(started), 202) : started
  })
