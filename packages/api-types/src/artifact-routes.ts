import { OpenPreview, Preview, PreviewViolations } from './releases/previews.ts'
import {
  AcceptFinding,
  ArtifactFileQuery,
  ArtifactFiles,
  ArtifactPages,
  ArtifactPartsQuery,
  Finding,
  Findings,
  FindingsQuery,
  UploadBundleQuery,
} from './bundles/artifacts.ts'
import { Comparison, ComparisonQuery, PageComparison, PageComparisonQuery, ReleaseNote } from './bundles/comparisons.ts'
import { HostConfiguration, HostConfigurationQuery } from './bundles/host-configuration.ts'
import { DecideOnStore, StorageQuery, StorageReport } from './bundles/storage.ts'
import { StartedStaticExport, StaticExport } from './records/static-exports.ts'

/** Routes about Docket's copies of bundles. */
export const artifactRoutes = {
  '/api/static-exports/{exportId}/download/zip': { GET: {} },
  '/api/static-exports/{exportId}/download/sha256': { GET: {} },
  '/api/static-exports/upload': { POST: { query: UploadBundleQuery, response: StartedStaticExport } },
  '/api/static-exports/{exportId}/artifact': {
    POST: { response: StaticExport },
    DELETE: { response: StaticExport },
  },
  '/api/static-exports/{exportId}/artifact/keep': {
    POST: { response: StaticExport },
    DELETE: { response: StaticExport },
  },
  '/api/static-exports/{exportId}/artifact/pages': { GET: { query: ArtifactPartsQuery, response: ArtifactPages } },
  '/api/static-exports/{exportId}/artifact/files': { GET: { query: ArtifactPartsQuery, response: ArtifactFiles } },
  '/api/static-exports/{exportId}/artifact/file': { GET: { query: ArtifactFileQuery } },
  '/api/static-exports/{exportId}/artifact/findings': { GET: { query: FindingsQuery, response: Findings } },
  '/api/static-exports/{exportId}/artifact/findings.csv': { GET: { query: FindingsQuery } },
  '/api/static-exports/{exportId}/artifact/findings.json': { GET: { query: FindingsQuery } },
  '/api/static-exports/{exportId}/artifact/findings/{fingerprint}/acceptance': {
    POST: { body: AcceptFinding, response: Finding },
    DELETE: { response: Finding },
  },
  '/api/static-exports/{exportId}/artifact/changes': { GET: { query: ComparisonQuery, response: Comparison } },
  '/api/static-exports/{exportId}/artifact/changes/page': {
    GET: { query: PageComparisonQuery, response: PageComparison },
  },
  '/api/static-exports/{exportId}/artifact/changes/note': {
    GET: { query: ComparisonQuery, response: ReleaseNote },
  },
  '/api/static-exports/{exportId}/artifact/host-configuration': {
    GET: { query: HostConfigurationQuery, response: HostConfiguration },
  },
  '/api/static-exports/{exportId}/artifact/previews': { POST: { body: OpenPreview, response: Preview } },
  '/api/static-exports/{exportId}/artifact/previews/{previewId}': {
    GET: { response: PreviewViolations },
    DELETE: {},
  },
  '/api/storage': { GET: { query: StorageQuery, response: StorageReport } },
  '/api/storage/decisions': { POST: { body: DecideOnStore } },
}
