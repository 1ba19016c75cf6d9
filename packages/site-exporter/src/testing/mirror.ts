import { join } from 'node:path'
import { temporaryFolder } from '@docket/sources/testing/files'
import { onTestFinished } from 'vitest'
import { mirrorSite, type MirrorOrder } from '#mirror/mirror-site.ts'
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
  const site = await mirrorSite(
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
    ...site,
    staging,
    count: site.pages,
    /** Text of each page, by path without its ending. */
    pages: new Map(
      [...files]
        .filter(([name]) => /\.x?html$/.test(name))
        .map(([name, text]) => [name.replace(/\.x?html$/, ''), text]),
    ),
    files,
    /** Reasons of omissions, by path and query. */
    reasons: new Map(site.leftOut.map(({ file, reason }) => [file.replace(/^https?:\/\/[^/]+/, ''), reason])),
  }
}
