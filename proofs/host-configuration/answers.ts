import { createHash } from 'node:crypto'
import { request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { Answer } from './expected.ts'

/** Asks a server of this machine as `host`. `location` is without the scheme and host of that. */
export const askServer = (port: number, path: string, host: string): Promise<Answer> =>
  new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, headers: { host }, agent: false }, (response) => {
      const { statusCode: status = 0, headers } = response
      const location = headers.location?.replace(`http://${host}`, '') ?? null
      buffer(response).then(
        (body) =>
          resolve({
            status,
            location,
            sha256: location === null ? createHash('sha256').update(body).digest('hex') : null,
            type: headers['content-type']?.split(';', 1)[0] ?? null,
          }),
        reject,
      )
    })
      .on('error', reject)
      .end()
  })

/** Some servers write these two characters as they were asked for. */
const toPlain = (location: string | null) => location?.replaceAll('%27', "'").replaceAll('%24', () => '$') ?? null

export const differs = (expected: Answer, answer: Answer) =>
  expected.status !== answer.status ||
  toPlain(expected.location) !== toPlain(answer.location) ||
  (expected.sha256 !== null && (expected.sha256 !== answer.sha256 || expected.type !== answer.type))

export const show = ({ status, location, sha256, type }: Answer) =>
  [status, location ?? `${type} ${sha256?.slice(0, 8)}`].join(' ')
