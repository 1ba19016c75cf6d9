import { randomUUID } from 'node:crypto'
import type { TokenSite } from '@docket/api-types/grants'
import type { PersonIdentity, TokenIdentity, Sender } from '#ground/identity/identity.ts'
import { type HeldSiteGrant, type Rights, toRights } from '#ground/identity/rights.ts'
import { openSites } from '#releases/releases.ts'
import { publishArtifact, rollBack } from '#releases/channels/publish.ts'
import { listReleases } from '#releases/sites/releases.list.ts'
import { followExports } from '#releases/channels/follow-exports.ts'
import { readSite, readSiteOfExport } from '#releases/sites/sites.ts'
import { artifactKit } from './artifact-kit.ts'
import { testConnectionId } from './connection.ts'

type Kit = Parameters<typeof artifactKit>[0]

/** Rights over single connections, or over everything. */
export const toRole = (role: string, connectionId: string | null = null): Rights =>
  toRights(role === 'none' ? [] : [{ role, connectionId, own: true }], true)

/** A person with a session, who calls a service without HTTP. */
export const toPerson = (rights: Rights, siteGrants: readonly HeldSiteGrant[] = [], name = 'Zoë'): Sender => {
  const userId = randomUUID()
  const identity: PersonIdentity = {
    ...rights,
    kind: 'person',
    userId,
    sessionId: randomUUID(),
    name,
    email: 'zoe@example.com',
    siteGrants,
  }
  const actor = { kind: 'person', id: userId, name, address: null, requestId: null } as const
  return { identity, actor, host: 'localhost:8080' }
}

/** A program with a token, which may be limited to some sites or domains. */
export const toToken = (scope: 'view' | 'operate', limits: { sites?: TokenSite[]; domains?: string[] }): Sender => {
  const tokenId = randomUUID()
  const rights = toRole(scope === 'view' ? 'viewer' : 'operator')
  const identity: TokenIdentity = {
    ...rights,
    role: scope === 'view' ? 'viewer' : 'operator',
    kind: 'token',
    tokenId,
    owner: { userId: null, name: 'Ada' },
    name: 'CI',
    siteGrants: [],
    projectIds: null,
    domains: limits.domains ?? null,
    sites: limits.sites ?? null,
  }
  const actor = { kind: 'token', id: tokenId, name: 'CI', address: null, requestId: null } as const
  return { identity, actor, host: 'localhost:8080' }
}

export const admin = toPerson(toRole('admin'), [], 'Ada')

/**
 * Sites and their channels with their own database and store, without HTTP. Unless they read the reports of bundles,
 * publish checks wait for `check.before`, and fail while `check.unfinished` has a reason.
 */
export const siteKit = async (options: Kit & { readsReports?: boolean } = {}) => {
  const check = { unfinished: null as string | null, before: () => Promise.resolve() }
  const facts = {
    read: async () => {
      await check.before()
      return { unfinished: check.unfinished, pages: 1, sizeBytes: 1, findings: [] }
    },
    readAccepted: async () => new Set<string>(),
  }
  const kit = await artifactKit(options)
  const sites = openSites(kit.ground, {
    artifacts: kit.services.ofSites,
    ...kit.services.bundleFacts,
    ...(options.readsReports !== true && { facts }),
    hosts: {
      describe: (host, { label, name }) => ({ address: `http://${name}--${label}.${host}`, problem: null }),
      checkHostname: (text) => text,
    },
  })
  /** Returns the site of a domain as an admin sees it. */
  const siteOf = async (domain = 'docs.example.com') => {
    const { rows } = await kit.db.$client.query<{ id: string }>(
      'select coalesce(joined_into, site_id) as id from sites where connection_id = $1 and domain = $2',
      [testConnectionId, domain],
    )
    return readSite(sites, rows[0]!.id, admin)
  }
  const channelOf = async (name: string, domain?: string) => {
    const site = await siteOf(domain)
    const channel = site.channels.find((one) => one.name === name)!
    return { ...channel, key: { siteId: site.siteId, channelId: channel.channelId } }
  }
  return {
    ...kit,
    sites,
    check,
    siteOf,
    siteOfExport: (exportId: string) => readSiteOfExport(sites, exportId, admin),
    /** Lets the channels of a site that follow its exports move now. */
    follow: (siteId: string) => followExports(sites, siteId),
    channelOf,
    /** Publishes as an admin who has just looked. */
    publish: async (exportId: string, name = 'production', domain?: string) => {
      const { key, version } = await channelOf(name, domain)
      await publishArtifact(sites, key, { version, exportId, note: null, override: null }, admin)
    },
    rollBack: async (name = 'production', releaseId: string | null = null) => {
      const { key, version } = await channelOf(name)
      await rollBack(sites, key, { version, releaseId, note: null }, admin)
    },
    releasesOf: async (name: string) => {
      const { key } = await channelOf(name)
      return (await listReleases(sites, key, { limit: 100 }, admin)).releases
    },
  }
}
