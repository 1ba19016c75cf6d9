import { gzipSync } from 'node:zlib'
import { packTar } from 'modern-tar'
import type { DocketClient } from '#apps/bff/src/testing/docket-client.ts'
import type { Channel, ChannelAccess, Site } from '#packages/api-types/src/releases/sites.ts'
import type { StartedStaticExport } from '#packages/api-types/src/records/static-exports.ts'

/** Files of a site by path. */
export type SiteFiles = Readonly<Record<string, string | Uint8Array>>

/** Packs a site as a service does. */
export const packSite = async (files: SiteFiles): Promise<Buffer> =>
  gzipSync(
    await packTar(
      Object.entries(files).map(([name, content]) => {
        const body = Buffer.from(content)
        return { header: { name, type: 'file' as const, size: body.length }, body }
      }),
    ),
  )

/** Publishes sites at a Docket, as an admin does. Everything throws when Docket refuses it. */
export const siteAdmin = ({ ask }: DocketClient) => {
  const pathOf = ({ siteId }: Site, { channelId }: Channel) => `/api/sites/${siteId}/channels/${channelId}`
  const read = async (siteId: string, name: string) => {
    const site = await ask<Site>('GET', `/api/sites/${siteId}`)
    const channel = site.channels.find((one) => one.name === name)
    if (channel === undefined) throw new Error(`${site.label} has no channel named ${name}`)
    return { site, channel, path: pathOf(site, channel) }
  }
  return {
    /** Stores a bundle. Returns its export and the site that it belongs to. */
    upload: async (domain: string, bundle: Buffer): Promise<{ exportId: string; siteId: string }> => {
      const query = new URLSearchParams({ domain })
      const started = await ask<StartedStaticExport>('POST', `/api/static-exports/upload?${query.toString()}`, bundle)
      const { exportId } = started.export
      const { siteId } = await ask<Site>('GET', `/api/static-exports/${exportId}/site`)
      return { exportId, siteId }
    },
    /** SHA-256 of the bundle that a site stored last. */
    findSum: async (siteId: string): Promise<string> =>
      (await ask<Site>('GET', `/api/sites/${siteId}`)).newest?.sha256 ?? '',
    /** Decides who reads a channel. */
    open: async (siteId: string, name: string, access: ChannelAccess): Promise<void> => {
      const { channel, path } = await read(siteId, name)
      await ask('PATCH', path, { version: channel.version, access })
    },
    /** Publishes whatever the checks say. Returns the number of the release that the channel shows afterwards. */
    publish: async (siteId: string, name: string, exportId: string): Promise<number> => {
      const { channel, path } = await read(siteId, name)
      const { current } = await ask<Channel>('POST', `${path}/releases`, {
        version: channel.version,
        exportId,
        override: 'Nobody else reads it.',
      })
      return current!.number
    },
    /** Goes back to the release before. Returns the number of the new release. */
    rollBack: async (siteId: string, name: string): Promise<number> => {
      const { channel, path } = await read(siteId, name)
      const { current } = await ask<Channel>('POST', `${path}/rollback`, { version: channel.version })
      return current!.number
    },
  }
}
