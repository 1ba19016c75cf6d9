import { createHash } from 'node:crypto'
import { chmod, mkdtemp } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { targetKinds } from '@docket/site-delivery/target-kinds'
import { configureHost } from '#bundles/host-configuration/host-configuration.ts'
import { readSiteContent } from '#releases/targets/site-content.ts'
import { hostName, nginx, startWebServer } from '#testing/web-server.ts'
import type { ReadBundle } from './read-bundle.ts'

/** A response, as far as every host must agree on it. */
export type Answer = { status: number; location: string | null; type: string | null; sha256: string }

export type Ask = (address: string) => Promise<Answer>

/** Asks a server of this machine. Locations of its own are addresses without a host. */
export const askServer = (port: number, headers: Record<string, string>): { ask: Ask; close: () => void } => {
  const agent = new Agent({ keepAlive: true, maxSockets: 8 })
  const ask: Ask = (path) =>
    new Promise((resolve, reject) => {
      request({ host: '127.0.0.1', port, path, headers, agent }, (response) => {
        const { statusCode: status = 0, headers: answered } = response
        const own = `http://${headers['host']}`
        const location = answered.location?.replace(own, '') ?? null
        const toAnswer = (body: Buffer) => ({
          status,
          location,
          type: answered['content-type'] ?? null,
          sha256: createHash('sha256').update(body).digest('hex'),
        })
        buffer(response).then((body) => resolve(toAnswer(body)), reject)
      })
        .on('error', reject)
        .end()
    })
  return { ask, close: () => agent.destroy() }
}

/** Delivers a bundle to a folder, and starts nginx on it with the configuration that Docket writes. */
export const openNginx = async ({ sha256, site, mount }: ReadBundle, work: string) => {
  const folder = await mkdtemp(join(work, 'delivered-'))
  await chmod(folder, 0o755)
  const place = { path: folder, keep: 1 }
  const target = await targetKinds.folder({ ...place, within: [work] })
  const watch = { onProgress: () => {}, signal: new AbortController().signal }
  await target.deliver(await readSiteContent(sha256, site, { kind: 'folder', ...place, address: null }), watch)
  await target.close()
  // A delivery leaves the folder of the archive out, and puts the site where its path leads.
  const { root, files: all, ...manifest } = await site.manifest()
  const own = all.filter(({ path }) => path.startsWith(root))
  const delivered = {
    ...manifest,
    root: '',
    files: own.map((file) => ({ ...file, path: file.path.slice(root.length) })),
  }
  const query = { host: 'nginx', name: hostName, root: join(folder, 'current', mount) } as const
  const { files } = await configureHost({ manifest: async () => delivered, report: site.report }, query)
  const { port, stop } = await startWebServer(nginx, files[0]!.text, await mkdtemp(join(work, 'nginx-')))
  const { ask, close } = askServer(port, { host: `${hostName}:${port}` })
  return {
    ask,
    close: async () => {
      close()
      await stop()
    },
  }
}
