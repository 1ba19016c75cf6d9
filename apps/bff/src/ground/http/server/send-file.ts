import type { ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** Ends an answer whose headers are sent. A string has one byte in each character, as in `latin1`. */
export const sendBody = async (response: ServerResponse, body: Readable | Buffer | string | null): Promise<void> => {
  if (body === null) response.end()
  else if (typeof body === 'string' || Buffer.isBuffer(body)) response.end(body, 'latin1')
  else await pipeline(body, response)
}

/** Answers with a sentence and, unless `headers` replace them, with `own` headers. */
export const createRefusal =
  (own: Readonly<Record<string, string>>) =>
  (response: ServerResponse, status: number, sentence: string, headers: Record<string, string> = {}): void => {
    response.writeHead(status, { ...own, ...headers }).end(`${sentence}\n`)
  }
