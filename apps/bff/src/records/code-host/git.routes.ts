import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { Hono, type Context } from 'hono'
import { AppError } from '#ground/errors/app-error.ts'
import { readScope } from '#ground/http/access/token-scope.ts'
import type { AppEnv } from '#ground/http/app-env.ts'
import type { Credentials } from '#ground/identity/identity.ts'
import type { RepositoriesCtx } from '#records/code-host/repositories.ts'
import { serveClone } from './repositories.ts'

/** Git lists the commits that it has: a few kilobytes for thousands of branches. */
const maxBytes = 4 * 1024 * 1024
const inflate = promisify(gunzip)

/** Credentials of git: an API token as the password, with any name. No cookies, so no web page can use a person's session. */
export const readGitCredentials = (c: Context<AppEnv>): Credentials => {
  const [, encoded] = /^Basic +([\w+/=]+)$/i.exec(c.req.header('authorization') ?? '') ?? []
  if (encoded === undefined) return { cookie: undefined, authorization: undefined }
  const text = Buffer.from(encoded, 'base64').toString()
  return { cookie: undefined, authorization: `Bearer ${text.slice(text.indexOf(':') + 1)}` }
}

/** Serves `git clone` and `git fetch`. Nothing can be pushed. */
export const gitRoutes = (ctx: RepositoriesCtx) => {
  const answer = async (c: Context<AppEnv>, fetch: Uint8Array | null) => {
    const name = c.req.param('repository') ?? ''
    if (!name.endsWith('.git')) throw new AppError('not_found', 'There is no such repository.')
    const request = { fetch, protocol: c.req.header('git-protocol'), signal: c.req.raw.signal }
    const { contentType, body } = await serveClone(
      ctx,
      name.slice(0, -'.git'.length),
      request,
      readScope(c.var.identity),
    )
    return c.body(Readable.toWeb(body) as ReadableStream, 200, { 'content-type': contentType })
  }
  return new Hono<AppEnv>()
    .get('/git/:repository/info/refs', (c) => {
      if (c.req.query('service') !== 'git-upload-pack')
        throw new AppError('forbidden', 'This repository is read only over HTTP. Agent jobs and merges change it.')
      return answer(c, null)
    })
    .post('/git/:repository/git-upload-pack', async (c) => answer(c, await readFetchRequest(c)))
}

const requestTooLargeError = () => new AppError('too_large', 'The request of git is larger than Docket accepts.')

const readFetchRequest = async (c: Context<AppEnv>): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of c.req.raw.body ?? []) {
    size += chunk.byteLength
    if (size > maxBytes) throw requestTooLargeError()
    chunks.push(chunk)
  }
  const body = Buffer.concat(chunks)
  if (c.req.header('content-encoding') !== 'gzip') return body
  return inflate(body, { maxOutputLength: maxBytes }).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ERR_BUFFER_TOO_LARGE'
      ? requestTooLargeError()
      : new AppError('invalid_request', 'Docket couldn’t read the request.')
  })
}
