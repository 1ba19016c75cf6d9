import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { SiteSources } from '@docket/sources/site-sources'
import type { BundleStore } from '#bundles/bundle-store.ts'
import type { Log } from '#log.ts'
import type { ExportStore } from '#static-exports/export-store.ts'
import type { SharedPages } from '#static-exports/shared-pages.ts'
import type { ExportJob } from './export-store.ts'

const dayMs = 86_400_000
const batch = 500

export const createRetention = (deps: {
  store: ExportStore
  bundles: BundleStore
  sources: SiteSources
  pages: Pick<SharedPages, 'removeOld'>
  keepDays: number
  now: () => Date
  log: Log
}) => {
  const { store, bundles, sources, pages, keepDays, now, log } = deps
  const oldest = () => new Date(now().getTime() - keepDays * dayMs)

  const removeOld = async ({ jobId, domain }: ExportJob) => {
    try {
      // Removes the record last, so that a crash leaves nothing unreachable.
      await bundles.remove(jobId)
      await store.remove(jobId)
      log.info({ jobId, domain }, 'a static export was removed by its age')
    } catch (error) {
      log.warn({ jobId, err: error }, 'an old static export could not be removed')
    }
  }
  const sweep = async () => {
    try {
      for (const job of await store.listEndedBefore(oldest(), batch)) await removeOld(job)
      await sources.keepOnly(await store.listPins())
      await pages.removeOld()
      await bundles.removeUnfinished(new Date(now().getTime() - dayMs))
    } catch (error) {
      log.warn({ err: error }, 'what nobody needs any more could not be removed')
    }
  }
  let sweeping: NodeJS.Timeout | undefined
  return {
    start: () => {
      void sweep()
      sweeping = setInterval(() => void sweep(), dayMs).unref()
    },
    /** Such a job counts as removed, even if it still exists. */
    isOver: ({ status, updatedAt }: ExportJob) =>
      (status === 'completed' || status === 'failed') && updatedAt.getTime() <= oldest().getTime(),
    /** Checks all exports once. Never rejects. */
    sweep,
    close: () => clearInterval(sweeping),
  }
}

export type Retention = ReturnType<typeof createRetention>

/** Removes leftovers of attempts that a crash ended. Call it before the first attempt begins. */
export const clearWork = async (folder: string, log: Log): Promise<void> => {
  const names = await readdir(folder).catch((): string[] => [])
  for (const name of names)
    await rm(join(folder, name), { recursive: true, force: true }).catch((error: unknown) => {
      log.warn({ folder: join(folder, name), err: error }, 'what an export left could not be removed')
    })
}
