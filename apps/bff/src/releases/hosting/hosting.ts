import type { StoredSite } from '@docket/site-bundle/open-site'
import type { Database } from '#ground/db/database.ts'
import { type OwnHosts, readPort } from '#ground/http/access/own-hosts.ts'
import type { PersonIdentity } from '#ground/identity/identity.ts'
import type { Log } from '#ground/log/log.ts'
import { hostedChannels } from './hosted-channels.ts'
import { hostedFiles } from './hosted-files.ts'
import type { HostedHosts } from './hosted-hosts.ts'
import { hostedSiteService } from './hosted-sites.service.ts'
import { serveHosted } from './serve-hosted.ts'

/** Hosting of channels: the service behind its route, and what answers readers. */
export const hosting = (deps: {
  db: Database
  hosts: OwnHosts
  hostedHosts: HostedHosts
  openSite: (sha256: string) => StoredSite | Promise<StoredSite>
  findPerson: (sessionId: string) => Promise<PersonIdentity | null>
  log: Log
  now: () => number
}) => {
  const { db, hosts, hostedHosts, openSite, findPerson, log, now } = deps
  const channels = hostedChannels({ db, now, log })
  const hostedSites = hostedSiteService({ db, hosts: hostedHosts, channels, findPerson, now })
  const serve = serveHosted({
    hostedSites,
    channels,
    files: hostedFiles(openSite),
    // Any program could ask for a hosted page, and may not learn Docket's own name from it.
    findDocket: (host) => hosts.publicUrl?.origin ?? `http://localhost${readPort(host)}`,
    log,
    now,
  })
  return { hostedSites, serve }
}
