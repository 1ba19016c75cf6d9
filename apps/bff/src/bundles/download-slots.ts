import { AppError } from '#errors/app-error.ts'

/** Room for downloads: each holds a connection to the storage and one to its reader. */
export type DownloadSlots = {
  /** Takes one; the function it gives frees it. Throws `busy` when all are taken. */
  take: () => () => void
}

const retryAfterMs = 15_000

/** `most` downloads at the same time. */
export const downloadSlots = (most: number): DownloadSlots => {
  let taken = 0
  return {
    take: () => {
      if (taken >= most)
        throw new AppError('busy', 'Too many downloads run at the same time. Try again in a moment.', { retryAfterMs })
      taken += 1
      return () => void (taken -= 1)
    },
  }
}
