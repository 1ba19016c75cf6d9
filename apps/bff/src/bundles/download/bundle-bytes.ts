import { setTimeout as delay } from 'node:timers/promises'
import { AdminApiError } from '#ground/errors/admin-api-error.ts'
import { AppError } from '#ground/errors/app-error.ts'
import type { StorageAnswer } from '#bundles/download/storage/bundle-fetch.ts'
import { type Identity, readIdentity, isSame, type Part, readPart } from './bundle-ranges.ts'
import { discard } from '#bundles/download/storage/bundle-links.ts'

/** Limit for failures in a row without a byte between them. */
const maxFailures = 4

const lost = () => new AppError('upstream_unavailable', 'The download broke off. Start it again.')

/** A failure that no retry can mend. */
const changed = () => new AppError('upstream_unexpected', 'The bundle changed during the download. Start it again.')

/**
 * Yields the bytes of `part` once and in order. After a broken connection or a dead link, `reopen` asks for the rest; bytes of two
 * different bundles never mix. Throws when it cannot finish, or when more bytes arrive than announced.
 */
export async function* bundleBytes(options: {
  first: StorageAnswer
  part: Part
  identity: Identity
  /** Requests bytes `from` to `end`, exclusive, of the bundle with this `identity`. */
  reopen: (from: number, end: number) => Promise<StorageAnswer>
  signal: AbortSignal
  pauseMs?: number
}): AsyncGenerator<Uint8Array, void, undefined> {
  const { part, identity, reopen, signal, pauseMs = 250 } = options
  const { end } = part
  let position = part.from
  let answer: StorageAnswer | null = options.first
  let failures = 0
  for (;;) {
    try {
      answer ??= await rest(reopen, { ...part, from: position }, identity)
      for await (const chunk of answer.body as AsyncIterable<Uint8Array>) {
        position += chunk.length
        if (end !== null && position > end) throw changed()
        failures = 0
        yield chunk
      }
      if (end === null || position === end) return
    } catch (error) {
      if (signal.aborted || isFinal(error)) throw error
    }
    if (end === null || signal.aborted) throw lost()
    // All bytes arrived before the connection broke, so nothing is missing.
    if (position === end) return
    failures += 1
    if (failures > maxFailures) throw lost()
    answer = null
    await delay(pauseMs * 2 ** (failures - 1), undefined, { signal })
  }
}

const isFinal = (error: unknown): boolean => {
  if (!(error instanceof AppError) && !(error instanceof AdminApiError)) return false
  return !['upstream_unavailable', 'upstream_timeout', 'upstream_rate_limited'].includes(error.code)
}

const rest = async (
  reopen: (from: number, end: number) => Promise<StorageAnswer>,
  part: Part,
  identity: Identity,
): Promise<StorageAnswer> => {
  if (part.end === null) throw lost()
  const answer = await reopen(part.from, part.end)
  try {
    if (answer.status !== 206) throw changed()
    const { from, end, total } = readPart(answer)
    if (from !== part.from || end !== part.end || !isSame(identity, readIdentity(answer, total))) throw changed()
    return answer
  } catch (error) {
    discard(answer)
    throw error
  }
}
