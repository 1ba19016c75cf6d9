import type { startExportProcess } from './export-process.ts'

/** Runs exports of this process in it, for tests; `workerProgram` still names a program. Null outside of tests. */
export const testExport: { current: typeof startExportProcess | null } = { current: null }
