import { setTimeout as delay } from 'node:timers/promises'
import { AdminApiError } from '#admin-api/admin-api.ts'
import { AppError } from '#errors/app-error.ts'
import type { StorageAnswer } from '#bundles/storage/bundle-fetch.ts'
import { type Identity, identityOf, isSame, type Part, partOf } from './bundle-ranges.ts'
import { discard } from '#bundles/storage/bundle-links.ts'

/** Failures in a row, without a byte between them, after which a transfer is given up. */
const mostFailures = 4

const lost = () =>
  new AppError('upstream_unavailable', 'The bundle could not be fetched to its end. Start the download again.')

/** A failure that asking again cannot mend. */
const changed = () =>
  new AppError('upstream_unexpected', 'The bundle changed while it was fetched. Start the download again.')

/**
 * The bytes of `part`, in order and each once. When the connection or the link dies on the way, `reopen` asks for the rest and
 * the transfer goes on, but only when the storage proves that it is the rest of the same bundle: bytes of two are never mixed.
 * Throws when it cannot be finished; what was yielded until then is a true beginning. More bytes than announced are an error too.
 */
export async function* bundleBytes(options: {
  first: StorageAnswer
  part: Part
  identity: Identity
  /** Asks for bytes `from` to `end`, not including it, of the bundle named by `identity`. */
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
    // Everything came before the connection broke.
    if (position === end) return
    failures += 1
    if (failures > mostFailures) throw lost()
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
    const { from, end, total } = partOf(answer)
    if (from !== part.from || end !== part.end || !isSame(identity, identityOf(answer, total))) throw changed()
    return answer
  } catch (error) {
    discard(answer)
    throw error
  }
}
