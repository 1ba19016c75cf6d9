import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export class FetchTooLarge extends Error {
  override readonly name = 'FetchTooLarge'
}

const lookAtSizeEveryMs = 500
/** Minimum size of a file on a disk. Bytes. */
const blockBytes = 4096

/** Fetches into `gitDir`. Rejects with `FetchTooLarge` once the objects there exceed `maxBytes`; the caller removes the fetched objects. */
export const limitSize = async <T>(
  { gitDir, maxBytes, signal }: { gitDir: string; maxBytes: number; signal: AbortSignal },
  fetch: (signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  const tooLarge = new AbortController()
  const ended = new AbortController()
  const look = async () => {
    if ((await countBytes(join(gitDir, 'objects'))) > maxBytes) tooLarge.abort(new FetchTooLarge())
  }
  const watch = async () => {
    while (!ended.signal.aborted && !tooLarge.signal.aborted) {
      await look()
      await sleep(lookAtSizeEveryMs, undefined, { signal: ended.signal }).catch(() => {})
    }
  }
  const watched = watch()
  try {
    return await fetch(AbortSignal.any([signal, tooLarge.signal]))
  } finally {
    ended.abort()
    await watched
    // More bytes may have arrived since the last check.
    await look()
    tooLarge.signal.throwIfAborted()
  }
}

const countBytes = async (folder: string) => {
  const names = await readdir(folder, { recursive: true }).catch((): string[] => [])
  let bytes = 0
  for (const name of names) bytes += Math.max(blockBytes, (await stat(join(folder, name)).catch(() => null))?.size ?? 0)
  return bytes
}
