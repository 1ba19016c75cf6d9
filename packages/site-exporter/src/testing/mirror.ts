import { join } from 'node:path'
import { temporaryFolder } from '@docket/sources/testing/files'
import { onTestFinished } from 'vitest'
import { mirrorSite, type MirrorOrder } from '#mirror/mirror-site.ts'
import { isMirrored } from '#site/page-paths.ts'
import { openOrigin, type Origin, type Served } from './origin.ts'
import { readFiles } from './site.ts'

/** Serves a site for one test. */
export const origin = async (
  pages: Readonly<Record<string, Served>> | ((path: string) => Served | undefined),
): Promise<Origin> => {
  const opened = await openOrigin(typeof pages === 'function' ? pages : (path) => pages[path])
  onTestFinished(() => opened.close())
  return opened
}

/** Mirrors a local site into a test folder, with short delays and timeouts. */
export const mirror = async (url: string, order: Partial<MirrorOrder> = {}) => {
  const staging = join(await temporaryFolder(), 'staging')
  const { pages, leftOut } = await mirrorSite(
    {
      url,
      staging,
      privateNetworks: ['127.0.0.1'],
      ...order,
      limits: { retryMs: 1, maxWaitMs: 1, answerMs: 10_000, ...order.limits },
    },
    () => {},
  )
  const files = await readFiles(staging)
  return {
    staging,
    count: pages,
    /** HTML of each page after its front matter, by page path. */
    pages: new Map(
      [...files]
        .filter(([name]) => isMirrored(name))
        .map(([name, text]) => [toPath(name), text.slice(text.indexOf('\n---\n') + '\n---\n'.length)]),
    ),
    files,
    /** Reasons of omissions, by path and query. */
    reasons: new Map(leftOut.map(({ file, reason }) => [file.replace(/^https?:\/\/[^/]+/, ''), reason])),
    leftOut,
  }
}

const toPath = (name: string) => name.replace(/\.mirrored\.html$/, '').replaceAll(/(?<=^|\/)=/g, '')
