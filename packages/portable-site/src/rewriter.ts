import { createHash } from 'node:crypto'
import { posix } from 'node:path'
import type { Reference } from '@docket/site-bundle/check/reference'
import { decideMediaType } from '@docket/site-bundle/media-type'
import { runWithinTime } from '@docket/sources/within-time'
import type { ReadRemote } from './built-site.ts'
import { outputFolder } from './frameworks.ts'
import type { Lines, Remark } from './report-lines.ts'
import type { Place, Resolver } from './resolve-address.ts'
import { rewriteCss } from './rewrite/css.ts'
import { createReplace, expandEntities, rewriteHtml, type Rewriting } from './rewrite/html.ts'
import { remarkUnbound, rewriteJson, rewriteScript } from './rewrite/script.ts'

const maxRemoteBytes = 16 * 1024 ** 2
const outsideSheet = /<\?xml-stylesheet\s[^<>]{0,1000}?\/\/[^<>]{0,1000}?\?>/g

/** Copies of other hosts' files. `find` is null for one that can't be copied, and undefined for one that was not asked for yet. */
export const createRemoteFiles = (
  readRemote: ReadRemote | undefined,
  write: (file: string, content: string | Buffer) => void,
) => {
  const known = new Map<string, { file: string } | { problem: string }>()
  return {
    isOpen: readRemote !== undefined,
    find: (url: string) => known.get(url),
    fetch: async (url: string, rewrite: (text: string, place: Place) => Promise<string>): Promise<void> => {
      if (known.has(url)) return
      known.set(url, { problem: 'it refers to itself' })
      const answer = await readRemote?.(url, maxRemoteBytes)
      if (answer === undefined || answer === null) known.set(url, { problem: '' })
      else if ('problem' in answer) known.set(url, answer)
      else {
        const { host, pathname } = new URL(url)
        const name = posix.basename(pathname).replaceAll(/[^\w.-]/g, '') || 'file'
        const type = answer.type || decideMediaType(name, answer.content)
        const ending =
          /\.\w{1,5}$/.exec(name)?.[0] ?? (type === 'text/css' ? '.css' : type === 'text/javascript' ? '.js' : '')
        const digest = createHash('sha256').update(url).digest('hex').slice(0, 8)
        const file = `${outputFolder}/hosts/${host.replaceAll(/[^\w.-]/g, '-')}/${name.slice(0, 60).replace(/\.\w{1,5}$/, '')}.${digest}${ending}`
        write(
          file,
          type === 'text/css' ? await rewrite(answer.content.toString(), { path: file, base: url }) : answer.content,
        )
        known.set(url, { file })
      }
    },
  }
}

type RemoteFiles = ReturnType<typeof createRemoteFiles>

/** Creates what rewrites the addresses of pages and files. */
export const createRewriter = ({
  resolver,
  remote,
  lines,
}: {
  resolver: Resolver
  remote: RemoteFiles
  lines: Lines
}) => {
  /** Rewrites until every file of another host that it may copy is there. */
  const settle = async (isGuarded: boolean, run: (site: Rewriting) => string) => {
    for (;;) {
      const missing = new Set<string>()
      const remarks: Remark[] = []
      const site: Rewriting = {
        resolve: resolver.resolve,
        toHref: resolver.toHref,
        isGuarded,
        remark: (remark) => remarks.push(remark),
        takeRemote: (url, use) => {
          const address = url.href.replace(/#.*$/s, '')
          const canBeCopied = remote.isOpen && !['frame', 'object', 'hint', 'call', 'ping', 'redirect'].includes(use)
          const found = canBeCopied ? remote.find(address) : { problem: '' }
          if (found === undefined) missing.add(address)
          else if ('file' in found) return found.file
          else remarks.push({ kind: 'cut', use, host: url.host, why: found.problem })
          return null
        },
      }
      const result = runWithinTime(() => run(site))
      if (missing.size === 0) return { result, remarks }
      for (const url of missing)
        await remote.fetch(url, async (text, place) =>
          report(
            place.path,
            settle(false, (inner) => rewriteCss(text, false, createReplace(place, inner))),
          ),
        )
    }
  }
  const report = async (path: string, settled: ReturnType<typeof settle>): Promise<string> => {
    const { result, remarks } = await settled
    for (const remark of remarks) lines.remark(path, remark)
    return result
  }

  return {
    page: settle,
    file: (path: string, type: string, text: string): Promise<string> => {
      const place = resolver.toPlace(path)
      const settled = settle(false, (site) => {
        const replace = createReplace(place, site)
        // Pictures that a page embeds as documents have no policy.
        if (type === 'image/svg+xml') return rewriteHtml(expandEntities(text).replace(outsideSheet, ''), place, site)
        if (type === 'text/css') return rewriteCss(text, false, replace)
        if (type === 'text/javascript') {
          remarkUnbound(text, site)
          return rewriteScript(text, { inModule: true, inPage: false }, (reference) =>
            isCertain(reference) ? replace(reference) : null,
          )
        }
        return rewriteJson(text, (name, address) =>
          typeof address === 'string' && manifestAddresses.has(name)
            ? (replace({ address, use: name === 'src' ? 'icon' : 'link', excerpt: () => address }) ?? address)
            : address,
        )
      })
      return report(path, settled)
    },
  }
}

/** Addresses of a script file are relative to unknown pages, except those it imports and those of a host. */
const isCertain = ({ isImport, address }: Reference) => isImport === true || /^(?:[a-z]+:)?\/\//i.test(address)

const manifestAddresses = new Set(['start_url', 'scope', 'src', 'url', 'action', 'id'])
