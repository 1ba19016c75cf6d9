import { z } from 'zod'
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
} from '#records/artifacts.ts'
import { BundleLink, DownloadQuery, PreparedBundle } from './bundles.ts'
import { Comparison, ComparisonQuery, PageComparison, PageComparisonQuery, ReleaseNote } from './comparisons.ts'
import { HostConfiguration, HostConfigurationQuery } from './host-configuration.ts'
import { DecideOnStore, StorageQuery, StorageReport } from './storage.ts'
import { StartedStaticExport, StaticExport } from '#records/static-exports.ts'
import { admin, operator, operatorOfRecord, viewerOfRecord } from '#ground/route.ts'

const binary = z.string().meta({ format: 'binary' })
const bundleFiles = Object.fromEntries(
  ['gzip', 'octet-stream', 'x-tar', 'zip', 'zstd'].map((type) => [`application/${type}`, binary]),
)
const inParts = {
  206: 'The part asked for.',
  304: 'Unchanged since the `ETag` the reader sent.',
  416: 'The part asked for does not exist.',
} as const

export const bundleRoutes = {
  'POST /api/static-exports/{exportId}/bundle': operatorOfRecord(
    'A new link to the bundle; it is a secret that expires',
    'The link.',
    { response: BundleLink, audit: 'bundle.link_minted' },
  ),
  'POST /api/static-exports/{exportId}/bundle/prepare': operatorOfRecord(
    'Make the bundle ready and learn its size',
    'The bundle is there.',
    { query: DownloadQuery, response: PreparedBundle, audit: 'bundle.prepared' },
  ),
  // Viewers may download an export that a channel shows.
  'GET /api/static-exports/{exportId}/download': viewerOfRecord(
    'The bundle itself; Range and If-Range resume a download',
    'All of it.',
    {
      query: DownloadQuery,
      files: bundleFiles,
      page: '/exports/{exportId}',
      also: { ...inParts, 303: 'Where it is, with `BUNDLE_DELIVERY=redirect` and without a stored copy.' },
      audit: 'bundle.downloaded',
    },
  ),
  'GET /api/static-exports/{exportId}/download/zip': viewerOfRecord(
    'The files of a stored bundle as a ZIP; Range and If-Range resume a download',
    'All of it.',
    { files: { 'application/zip': binary }, page: '/exports/{exportId}', also: inParts, audit: 'bundle.downloaded' },
  ),
  'GET /api/static-exports/{exportId}/download/sha256': viewerOfRecord(
    'The SHA-256 of a stored bundle with its file name, for `sha256sum -c`',
    'One line.',
    { files: { 'text/plain': z.string() }, page: '/exports/{exportId}' },
  ),
  'POST /api/static-exports/upload': operator(
    'Upload a bundle that no service exported for Docket; the body is the file',
    'The export that Docket made for it.',
    {
      query: UploadBundleQuery,
      response: StartedStaticExport,
      status: 201,
      uploads: 'application/octet-stream',
      also: { 202: 'The export, whose `artifact` is still `storing`: reading and checking the bundle takes longer.' },
      audit: 'static_export.uploaded',
    },
  ),
  'POST /api/static-exports/{exportId}/artifact': operatorOfRecord(
    'Store the bundle of a completed export in Docket',
    'The export; `artifact` shows the progress.',
    { response: StaticExport, audit: 'bundle.store_requested' },
  ),
  'DELETE /api/static-exports/{exportId}/artifact': operatorOfRecord(
    'Delete a bundle that is saved in Docket; the service is not told',
    'The export.',
    { response: StaticExport, audit: 'bundle.deleted' },
  ),
  'POST /api/static-exports/{exportId}/artifact/keep': operatorOfRecord(
    'Keep a bundle in Docket for good: retention leaves it alone',
    'The export.',
    { response: StaticExport, audit: 'bundle.kept' },
  ),
  'DELETE /api/static-exports/{exportId}/artifact/keep': operatorOfRecord(
    'Let retention delete a bundle again',
    'The export.',
    { response: StaticExport, audit: 'bundle.released' },
  ),
  'GET /api/static-exports/{exportId}/artifact/pages': viewerOfRecord(
    'Pages of the stored bundle of an export',
    'Part of the pages, by address.',
    { query: ArtifactPartsQuery, response: ArtifactPages },
  ),
  'GET /api/static-exports/{exportId}/artifact/files': viewerOfRecord(
    'Files of the stored bundle of an export',
    'Part of the files, by path.',
    { query: ArtifactPartsQuery, response: ArtifactFiles },
  ),
  'GET /api/static-exports/{exportId}/artifact/file': viewerOfRecord(
    'One file of a stored bundle, as an attachment',
    'All of it.',
    {
      query: ArtifactFileQuery,
      files: { 'application/octet-stream': binary },
      page: '/exports/{exportId}/contents',
      also: inParts,
      audit: 'bundle.downloaded',
    },
  ),
  'GET /api/static-exports/{exportId}/artifact/picture': viewerOfRecord(
    'A picture of the first page of a stored bundle, as a PNG; `hasPicture` says whether there is one',
    'The picture.',
    { files: { 'image/png': binary }, page: '/exports/{exportId}/changes' },
  ),
  'GET /api/static-exports/{exportId}/artifact/findings': viewerOfRecord(
    'What the check of a stored bundle found, beside the bundle before',
    'Part of the findings, worst first.',
    { query: FindingsQuery, response: Findings },
  ),
  'GET /api/static-exports/{exportId}/artifact/findings.csv': viewerOfRecord(
    'All findings that match the filters, as CSV with a line for each place',
    'The file.',
    { query: FindingsQuery, files: { 'text/csv': z.string() }, page: '/exports/{exportId}/findings' },
  ),
  'GET /api/static-exports/{exportId}/artifact/findings.json': viewerOfRecord(
    'All findings that match the filters, as JSON with all their places',
    'The file.',
    {
      query: FindingsQuery,
      files: { 'application/json': z.array(z.object({})) },
      page: '/exports/{exportId}/findings',
    },
  ),
  'POST /api/static-exports/{exportId}/artifact/findings/{fingerprint}/acceptance': operatorOfRecord(
    'Accept a finding for all bundles of the site',
    'The finding.',
    { body: AcceptFinding, response: Finding, audit: 'finding.accepted' },
  ),
  'DELETE /api/static-exports/{exportId}/artifact/findings/{fingerprint}/acceptance': operatorOfRecord(
    'Take the acceptance of a finding back',
    'The finding.',
    { response: Finding, audit: 'finding.acceptance_withdrawn' },
  ),
  'GET /api/static-exports/{exportId}/artifact/changes': viewerOfRecord(
    'What changed between two stored bundles of a site, page by page; by default since the one before',
    'Counts, changes that most pages share, and a part of the pages that differ.',
    { query: ComparisonQuery, response: Comparison },
  ),
  'GET /api/static-exports/{exportId}/artifact/changes/page': viewerOfRecord(
    'The words of one page before and after',
    'Blocks of its main text with the words that were added and removed.',
    { query: PageComparisonQuery, response: PageComparison },
  ),
  'GET /api/static-exports/{exportId}/artifact/changes/note': viewerOfRecord(
    'A note for readers about what changed, as Markdown',
    'The note. The filters of the pages do not apply.',
    { query: ComparisonQuery, response: ReleaseNote },
  ),
  'GET /api/static-exports/{exportId}/artifact/host-configuration': viewerOfRecord(
    'Files that make nginx, Caddy, Apache or another host answer for a stored bundle as Docket does',
    'The files, and the path that they are written for.',
    { query: HostConfigurationQuery, response: HostConfiguration },
  ),
  'GET /api/storage': admin(
    'Stored bundles: what Docket stores, where, and how long',
    'The store, its size, and a part of its bundles.',
    { query: StorageQuery, response: StorageReport },
  ),
  'POST /api/storage/decisions': admin(
    'Decide about bundles in the store that Docket’s database does not know: adopt, leave or remove them',
    'Docket adopts or removes them in the background.',
    { body: DecideOnStore, audit: ['store.adopted', 'store.left', 'store.orphans_removed'] },
  ),
}
