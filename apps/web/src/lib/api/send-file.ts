import { syncClock } from '#lib/time/clock.ts'
import { ApiError, readError } from './api-error.ts'
import { noteRefusal } from './api.ts'

type Sending = {
  signal: AbortSignal
  /** Called with the part of the file that was sent, from 0 to 1. */
  onProgress: (part: number) => void
}

const stopped = () =>
  new ApiError('no_answer', 'The upload stopped. Check that Docket is running and the file isn’t too large.', {})

const toResponse = (request: XMLHttpRequest): Response => {
  const retryAfter = request.getResponseHeader('retry-after')
  return new Response(request.responseText || null, {
    status: request.status,
    headers: retryAfter === null ? {} : { 'retry-after': retryAfter },
  })
}

/**
 * Sends the bytes of a file; `fetch` reports no progress. Never repeated by itself. Rejects with `ApiError`, and with an `AbortError` when
 * `signal` aborts.
 */
export const sendFile = (path: string, file: Blob, { signal, onProgress }: Sending): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', path)
    request.setRequestHeader('content-type', 'application/octet-stream')
    request.setRequestHeader('x-docket', '1')
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0))
    request.addEventListener('error', () => reject(stopped()))
    request.addEventListener('abort', () => reject(new DOMException('Cancelled.', 'AbortError')))
    request.addEventListener('load', () => {
      syncClock(request.getResponseHeader('date'))
      const response = toResponse(request)
      if (response.ok) response.json().then(resolve, () => reject(stopped()))
      else
        void readError(response).then((error) => {
          noteRefusal(error)
          reject(error)
        })
    })
    signal.addEventListener('abort', () => request.abort(), { once: true })
    request.send(file)
  })
