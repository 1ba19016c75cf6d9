import { z } from 'zod'
import { ChangeNote } from '#ground/list.ts'
import { StaticExportStatistics, StaticExportStatisticsQuery } from './static-export-statistics.ts'
import {
  AttachJobId,
  ImportStaticExport,
  StartStaticExport,
  StartedStaticExport,
  StaticExport,
  StaticExportChecks,
  StaticExportCsvQuery,
  StaticExportFilters,
  StaticExportList,
  StaticExportListQuery,
} from './static-exports.ts'
import { ConnectionQuery, TreatStatus } from '#service/connections.ts'
import { History } from '#service/history.ts'
import { operator, operatorInScope, operatorOfRecord, viewerInScope, viewerOfRecord } from '#ground/route.ts'

export const staticExportRoutes = {
  'GET /api/static-exports': viewerInScope('Static exports, filtered and sorted, in pages', 'A page of exports.', {
    query: StaticExportListQuery,
    response: StaticExportList,
  }),
  'POST /api/static-exports': operatorInScope(
    'Start a static export; the same requestId never starts a second one',
    'The record of the start, also when the service refused it (`refused`) or did not answer (`unknown`).',
    { body: StartStaticExport, response: StartedStaticExport, status: 201, audit: 'static_export.started' },
  ),
  'GET /api/static-exports/checks': viewerInScope(
    'When the exports on a page of the list were and will be checked; the query is that of the page',
    'The checks, in the order of the page.',
    { query: StaticExportListQuery, response: StaticExportChecks },
  ),
  'GET /api/static-exports/export.csv': viewerInScope(
    'All exports that match the filters of the list, as CSV',
    'The file, in the order of the list.',
    { query: StaticExportCsvQuery, files: { 'text/csv': z.string() }, page: '/exports' },
  ),
  'GET /api/static-exports/filters': viewerInScope(
    'What the list of exports can be filtered by',
    'Values to suggest.',
    { query: ConnectionQuery, response: StaticExportFilters },
  ),
  'GET /api/static-exports/statistics': viewerInScope(
    'Durations, pages, sizes and outcomes of finished exports, by day and for the latest of one domain',
    'Numbers with their sample sizes.',
    { query: StaticExportStatisticsQuery, response: StaticExportStatistics },
  ),
  // The service does not say which domain a jobId belongs to (Admin API §4.3), so a restricted token could guess its
  // way to any bundle.
  'POST /api/static-exports/import': operator(
    'Add an export that was started elsewhere by its job ID; it is read from the Admin API first',
    'The export.',
    { body: ImportStaticExport, response: StartedStaticExport, status: 201, audit: 'static_export.imported' },
  ),
  'GET /api/static-exports/{exportId}': viewerOfRecord('One static export', 'Its last known state.', {
    response: StaticExport,
  }),
  'PATCH /api/static-exports/{exportId}': operatorOfRecord('Change the note of an export', 'The export.', {
    body: ChangeNote,
    response: StaticExport,
    audit: 'static_export.note_changed',
  }),
  'DELETE /api/static-exports/{exportId}': operatorOfRecord(
    'Take an export off the list; the service is not told',
    'It is no longer listed; `restore` takes this back.',
    { audit: 'static_export.removed' },
  ),
  'GET /api/static-exports/{exportId}/history': viewerOfRecord(
    'What happened to a static export, as far as it was observed',
    'The latest events, oldest first.',
    { response: History },
  ),
  'POST /api/static-exports/{exportId}/restore': operatorOfRecord(
    'Put a removed export back on the list',
    'Its last known state.',
    { response: StaticExport, audit: 'static_export.restored' },
  ),
  'POST /api/static-exports/{exportId}/dismiss': operatorOfRecord(
    'Say that an export needs no attention',
    'The export; its state stays.',
    { response: StaticExport, audit: 'static_export.dismissed' },
  ),
  'DELETE /api/static-exports/{exportId}/dismiss': operatorOfRecord(
    'Undo a dismissal',
    'The export. It needs attention again unless a later export of the same pages is completed.',
    { response: StaticExport, audit: 'static_export.dismissal_undone' },
  ),
  'POST /api/static-exports/{exportId}/attach': operator(
    'Give an export whose start was never answered the jobId that a person found',
    'Its state now.',
    { body: AttachJobId, response: StaticExport, audit: 'static_export.attached' },
  ),
  'POST /api/static-exports/{exportId}/check': operatorOfRecord(
    'Read an export from the Admin API now',
    'Its state now; `checkFailure` says when the read failed.',
    { response: StaticExport, audit: 'static_export.checked' },
  ),
  'POST /api/static-exports/{exportId}/cancel': operatorOfRecord(
    'Cancel a waiting or running export, where the service can; `actions` of the export says why it can’t',
    'Its state now: `failed`, with the reason `cancelled`.',
    { response: StaticExport, audit: 'static_export.cancelled' },
  ),
  'POST /api/static-exports/{exportId}/treat-as': operator(
    'Say what a status means that Docket doesn’t know, for this and later records of the connection',
    'The export, read again.',
    { body: TreatStatus, response: StaticExport, audit: 'static_export.treated_as' },
  ),
}
