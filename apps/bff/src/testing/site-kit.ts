import { randomUUID } from 'node:crypto'
import type { GateCheck } from '@docket/api-types/gates'
import type { TokenSite } from '@docket/api-types/grants'
import type { PersonIdentity, TokenIdentity } from '#ground/identity/identity.ts'
import { type HeldSiteGrant, type Rights, toRights } from '#ground/identity/rights.ts'
import { openSites } from '#releases/releases.ts'
import type { ChannelGate, Sender } from '#releases/sites/ports.ts'
import { artifactKit } from './artifact-kit.ts'
import { testConnectionId } from './connection.ts'

type Kit = Parameters<typeof artifactKit>[0]

/** Rights over single connections, or over everything. */
export const toRole = (role: string, connectionId: string | null = null): Rights =>
  toRights(role === 'none' ? [] : [{ role, connectionId, own: true }], true)

/** Somebody with a session, who asks a service without HTTP. */
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

/** A program whose token is limited to some sites, domains, or nothing. */
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

/** Sites and their channels on a database and a store of their own, without HTTP. `gate.checks` is what the gate finds. */
export const siteKit = async (options: Kit & { hasGate?: boolean } = {}) => {
  const gate = { checks: [] as GateCheck[], ended: [] as string[], before: () => Promise.resolve() }
  const channelGate: ChannelGate = {
    evaluate: async () => {
      await gate.before()
      return { checks: gate.checks, passed: gate.checks.every(({ state }) => state !== 'failed') }
    },
    endProposal: async (_tx, _channelId, { outcome }) => void gate.ended.push(outcome),
  }
  const kit = await artifactKit(options)
  const sites = openSites(kit.ground, {
    artifacts: kit.services.ofSites,
    gateFacts: kit.services.gateFacts,
    ...(options.hasGate !== true && { gate: channelGate }),
    addresses: {
      describe: (host, { label, name }) => ({ address: `http://${name}--${label}.${host}`, problem: null }),
      checkHostname: (text) => text,
      checkHeaders: () => {},
      isAccepted: () => true,
    },
  })
  /** The site of a domain, as an admin sees it. */
  const siteOf = async (domain = 'docs.example.com') => {
    const { rows } = await kit.db.$client.query<{ id: string }>(
      'select coalesce(joined_into, site_id) as id from sites where connection_id = $1 and domain = $2',
      [testConnectionId, domain],
    )
    return sites.sites.read(rows[0]!.id, admin)
  }
  const channelOf = async (name: string, domain?: string) => {
    const site = await siteOf(domain)
    const channel = site.channels.find((one) => one.name === name)!
    return { ...channel, key: { siteId: site.siteId, channelId: channel.channelId } }
  }
  return {
    ...kit,
    sites,
    gate,
    siteOf,
    channelOf,
    /** Promotes as an admin who has just looked. */
    promote: async (exportId: string, name = 'production', domain?: string) => {
      const { key, version } = await channelOf(name, domain)
      await sites.releases.promote(key, { version, exportId, note: null, override: null }, admin)
    },
    rollBack: async (name = 'production', releaseId: string | null = null) => {
      const { key, version } = await channelOf(name)
      await sites.releases.rollBack(key, { version, releaseId, note: null }, admin)
    },
    releasesOf: async (name: string) => {
      const { key } = await channelOf(name)
      return (await sites.releases.list(key, { limit: 100 }, admin)).releases
    },
  }
}
