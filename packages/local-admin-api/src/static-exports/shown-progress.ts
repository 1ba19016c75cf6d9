import { appendFileSync, mkdirSync } from 'node:fs'
import { readFile, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** How far an export is, as it is shown: `progress` from 0 to 100, and pages written. */
export type Live = { progress: number; pageCount: number }

/**
 * What was last shown of exports that have not ended. The records on the disk are up to a second older, and after a crash nobody may read
 * less than before it.
 */
export type ShownProgress = {
  /** To be called before `live` is answered. Never throws. */
  note(jobId: string, live: Live): void
  /** What was shown before the service was started; zeros when nothing was. */
  before(jobId: string): Promise<Live>
  forget(jobId: string): Promise<void>
  /** Forgets all others: a crash may have come between the end of an export and this. */
  keepOnly(jobIds: ReadonlySet<string>): Promise<void>
}

const line = /^(\d+(?:\.\d+)?) (\d+)$/

/** Kept under `folder`, a line each time: a crash in the middle of one leaves those before. Nothing is synced, so a power cut may lose some. */
export const shownProgress = (folder: string): ShownProgress => {
  const noted = new Map<string, string>()
  const toPath = (jobId: string) => join(folder, jobId)
  const forget = async (jobId: string) => {
    noted.delete(jobId)
    await rm(toPath(jobId), { force: true })
  }
  return {
    note: (jobId, { progress, pageCount }) => {
      const text = `${progress} ${pageCount}`
      if (noted.get(jobId) === text) return
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 })
        // At once: an answer that left before it was noted would be the one that counts.
        appendFileSync(toPath(jobId), `${text}\n`, { mode: 0o600 })
        noted.set(jobId, text)
      } catch {
        // A full disk is no reason to answer nothing.
      }
    },
    before: async (jobId) => {
      const text = await readFile(toPath(jobId), 'utf8').catch(() => '')
      const [, progress = 0, pageCount = 0] =
        text
          .split('\n')
          .slice(0, -1)
          .findLast((each) => line.test(each))
          ?.match(line) ?? []
      return { progress: Math.min(Number(progress), 99), pageCount: Number(pageCount) }
    },
    forget,
    keepOnly: async (jobIds) => {
      for (const jobId of await readdir(folder).catch((): string[] => [])) if (!jobIds.has(jobId)) await forget(jobId)
    },
  }
}
