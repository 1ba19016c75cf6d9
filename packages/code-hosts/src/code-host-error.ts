/** Tells the caller to wait and retry, to look for the existing one, or to show the error. */
type Kind = 'unreachable' | 'limited' | 'exists' | 'missing' | 'forbidden' | 'rejected' | 'refused'

/** A failed call to a code host. `message` is a sentence for the reader without secrets. */
export class CodeHostError extends Error {
  override readonly name = 'CodeHostError'
  readonly kind: Kind
  /** Wait that a `limited` response asks for. Milliseconds; null when unknown. */
  readonly waitMs: number | null

  constructor(kind: Kind, message: string, waitMs: number | null = null) {
    super(message)
    this.kind = kind
    this.waitMs = waitMs
  }
}

/** An error that a retry cannot fix; `sentence` is for the reader. */
export const refused = (sentence: string): CodeHostError => new CodeHostError('refused', sentence)

/** Rejects when `signal` aborts. */
export type Pause = (ms: number, signal: AbortSignal | undefined) => Promise<void>

const pausesMs = [2_000, 8_000]
/** Maximum wait before a retry, and the default when the service names none. Milliseconds. */
const maxWaitMs = 60_000

/** Retries at most twice after a pause, when the code host is unreachable or requests a short wait. */
export const withRetries = async <T>(
  attempt: () => Promise<T>,
  pause: Pause,
  signal: AbortSignal | undefined,
): Promise<T> => {
  for (const pauseMs of pausesMs) {
    try {
      return await attempt()
    } catch (error) {
      signal?.throwIfAborted()
      const waitMs = findRetryDelay(error, pauseMs)
      if (waitMs === null) throw error
      await pause(waitMs, signal)
    }
  }
  return attempt()
}

/** Delay before a retry: `pauseMs` for an unreachable host. Null when a retry is useless. */
export const findRetryDelay = (error: unknown, pauseMs: number): number | null => {
  if (!(error instanceof CodeHostError)) return null
  if (error.kind === 'unreachable') return pauseMs
  if (error.kind !== 'limited') return null
  const waitMs = error.waitMs ?? maxWaitMs
  return waitMs <= maxWaitMs ? waitMs : null
}
