import { z } from 'zod'
import {
  AuditEvent,
  AuditExportQuery,
  AuditList,
  AuditQuery,
  AuditVerification,
  AuditVerificationQuery,
} from './audit.ts'
import { auditor } from './route.ts'

export const auditRoutes = {
  'GET /api/audit': auditor('What was done and refused, newest first, filtered, in pages', 'A page of the audit.', {
    query: AuditQuery,
    response: AuditList,
  }),
  'GET /api/audit/export': auditor(
    'Everything that fits the filters, as CSV or JSON lines',
    'The file, newest first.',
    {
      query: AuditExportQuery,
      files: { 'text/csv': z.string(), 'application/x-ndjson': AuditEvent },
      page: '/settings/audit',
      audit: 'audit.exported',
    },
  ),
  'GET /api/audit/verify': auditor(
    'Verifies the chain of hashes over the audit, about a second of work at a time',
    'How far the chain is whole, and where it breaks.',
    { query: AuditVerificationQuery, response: AuditVerification },
  ),
}
