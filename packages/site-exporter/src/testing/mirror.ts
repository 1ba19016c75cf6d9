import { join } from 'node:path'
import { temporaryFolder } from '@docket/sources/testing/files'
import { onTestFinished } from 'vitest'
import { mirrorSite, type MirrorOrder } from '#mirror/mirror-site.ts'
import { isMirrored } from '#site/page-paths.ts'
import { openOrigin, type Origin, type Served } from './origin.ts'
import { readFiles } from './site.ts'

/** A site for one test: what is served by path, or a function of the path. */
export const origin = async (
  pages: Readonly<Record<string, Served>> | ((path: string) => Served | undefined),
): Promise<Origin> => {
  const opened = await openOrigin(typeof pages === 'function' ? pages : (path) => pages[path])
  onTestFinished(() => opened.close())
  return opened
}

/** Mirrors a site on this machine into a folder of the test. Short times, so that what never comes is not waited for. */
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
    /** Content by the path of the page: what stands behind its front matter. */
    pages: new Map(
      [...files]
        .filter(([name]) => isMirrored(name))
        .map(([name, text]) => [toPath(name), text.slice(text.indexOf('\n---\n') + '\n---\n'.length)]),
    ),
    files,
    /** Why something is not there, by the path of its address; the query belongs to it. */
    reasons: new Map(leftOut.map(({ file, reason }) => [file.replace(/^https?:\/\/[^/]+/, ''), reason])),
    leftOut,
  }
}

const toPath = (name: string) => name.replace(/\.mirrored\.html$/, '').replaceAll(/(?<=^|\/)=/g, '')
