import { createReadStream } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { Readable } from 'node:stream'
import type { Context } from 'hono'
import type { Repository } from './repositories.ts'

/** Files that a clone over the plain protocol reads; nothing else of a repository is shown. */
const served =
  /^(HEAD|info\/refs|packed-refs|objects\/(info\/packs|[0-9a-f]{2}\/[0-9a-f]{38}|pack\/pack-[0-9a-f]{40}\.(pack|idx)))$/

/** Answers one of the files that `git clone` asks for; anything else is not found. */
export const repositoryFile = async (c: Context, { gitDir }: Repository, path: string): Promise<Response> => {
  if (c.req.query('service') === 'git-receive-pack') return c.text('This repository is read only over HTTP.\n', 403)
  if (!served.test(path)) return c.notFound()
  const file = await realpath(join(gitDir, path)).catch(() => null)
  if (!file?.startsWith((await realpath(gitDir)) + sep)) return c.notFound()
  const { size } = await stat(file)
  return c.body(Readable.toWeb(createReadStream(file)) as ReadableStream, 200, {
    'content-type': 'application/octet-stream',
    'content-length': String(size),
  })
}
