import { createConnectionRegistry } from '#service/connections/connection-registry.ts'
import { openConnection, type OpenConnection } from '#service/connections/open-connection.ts'
import { deleteOldHistory } from '#service/history/retention.ts'
import { deleteOldCalls } from '#service/rate-limit/call-report.ts'
import type { Ground } from '#ground/ground.ts'
import type { KeyRing } from '#ground/secret/encrypted-text.ts'
import type { ServiceCtx } from './service-ctx.ts'

/** Polling starts with the first ticks. */
export const openService = (
  ground: Ground,
  deps: Pick<ServiceCtx, 'openClient' | 'kinds' | 'embedded' | 'keysFolder' | 'retentionDays'> & {
    instance: KeyRing
    /** Tests every new key with one call. */
    testKeys: boolean
    /** True when no other process uses the database. */
    alone: boolean
  },
): ServiceCtx => {
  const { db, now, log, events, work, ticks } = ground
  const { openClient, kinds, embedded, instance, keysFolder, testKeys, alone, retentionDays } = deps
  const tables = Object.values(kinds).map(({ table }) => table)
  const registry = createConnectionRegistry<OpenConnection>({
    ...ground,
    build: async (row, wake) =>
      openConnection(row, await openClient(row), { ...ground, tables, alone, testKeys, wake }),
    embedded,
  })
  ticks.add(2, registry.tick)
  work.add(
    { name: 'old-history', cron: '37 3 * * *', run: () => deleteOldHistory(db, now(), retentionDays) },
    { name: 'old-calls', cron: '27 * * * *', run: () => deleteOldCalls(db, now()) },
  )
  return { db, now, log, events, openClient, registry, kinds, embedded, ring: instance, keysFolder, retentionDays }
}

export type Connections = ServiceCtx['registry']
