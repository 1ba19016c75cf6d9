import { createHash } from 'node:crypto'
import { readlink } from 'node:fs/promises'
import { posix } from 'node:path'

/** The name git gives a content. `length` 40 for SHA-1, 64 for SHA-256. */
export const contentHash = (content: Buffer, length: number): string =>
  createHash(length === 64 ? 'sha256' : 'sha1')
    .update(`blob ${content.length}\0`)
    .update(content)
    .digest('hex')

/** What a symlink says, as bytes. */
export const linkTarget = (link: string): Promise<Buffer> => readlink(link, { encoding: 'buffer' })

/** Whether a symlink at `path` with this target stays inside the checkout, by its words alone. */
export const staysInside = (path: string, target: string): boolean => {
  if (target === '' || target.startsWith('/') || target.includes('\0')) return false
  const reached = posix.normalize(posix.join(posix.dirname(path), target))
  return reached !== '..' && !reached.startsWith('../') && !/(^|\/)\.git(\/|$)/i.test(reached)
}

/** What a code host or git itself acts on as soon as it is pushed: submodules, and the definitions of its own jobs. */
export const unchangeable = (path: string): boolean =>
  /^(\.gitmodules|\.gitlab-ci\.ya?ml|\.(github|gitea|forgejo)\/(workflows|actions)\/.*|\.gitlab\/ci\/.*|\.woodpecker(\.ya?ml|\/.*)|\.drone\.ya?ml|\.circleci\/.*)$/i.test(
    path,
  )
