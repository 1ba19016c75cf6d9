import { text } from 'node:stream/consumers'
import { openDatabase } from '#apps/bff/src/ground/db/open.ts'
import { createLog } from '#apps/bff/src/ground/log/log.ts'
import { scriptPrompts } from '#packages/doc-agent/src/testing/script-prompts.ts'
import { localAdminApi } from '#packages/local-admin-api/src/local-admin-api.ts'
import type { LocalAdminApiOptions } from '#packages/local-admin-api/src/options.ts'

/** Options of such a service. Its database outlives it. */
export type ServiceOrder = Omit<LocalAdminApiOptions, 'database' | 'alone'> & { databaseUrl: string }

// A local Admin API in a process of its own, with the options that come as JSON on its standard input.
scriptPrompts()
const { databaseUrl, ...options } = JSON.parse(await text(process.stdin)) as ServiceOrder
const log = createLog({ level: 'error', destination: process.stderr })
const { db } = await openDatabase({ databaseUrl, directUrl: undefined, dataDir: '', log })
const api = await localAdminApi({ ...options, database: db, alone: true })
process.once('SIGTERM', () => void api.close().then(() => process.exit(0)))
console.log(`listening at ${api.url} `)
