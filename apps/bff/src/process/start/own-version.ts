import { execFile } from 'node:child_process'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'

export const readOwnVersion = async (): Promise<string> =>
  z
    .object({ version: z.string() })
    .parse(JSON.parse(await readFile(join(import.meta.dirname, '..', '..', '..', 'package.json'), 'utf8'))).version

const root = join(import.meta.dirname, '..', '..', '..', '..', '..')

/** Reads it from the file `COMMIT` of a release, or from git in a checkout. Null without either. */
export const readOwnCommit = async (): Promise<string | null> => {
  const named = await readFile(join(root, 'COMMIT'), 'utf8').catch(() => '')
  // Otherwise, git would find an unrelated repository around an installed Docket.
  const inCheckout = named === '' && (await stat(join(root, '.git')).catch(() => null)) !== null
  const found = inCheckout
    ? await promisify(execFile)('git', ['rev-parse', 'HEAD'], { cwd: root, timeout: 5_000 }).then(
        ({ stdout }) => stdout,
        () => '',
      )
    : named
  return /^[\da-f]{40,64}$/.exec(found.trim())?.[0] ?? null
}
