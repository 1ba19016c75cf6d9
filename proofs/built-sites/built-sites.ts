import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { onEnd } from '#bench/harness/cleanup.ts'
import { packSite, siteAdmin } from '#bench/harness/hosted-site.ts'
import type { HostConfiguration } from '#packages/api-types/src/bundles/host-configuration.ts'
import { startDocket, temporaryFolder, type RunningDocket } from '#proofs/harness/docket.ts'
import type { Fault } from '#proofs/harness/plant.ts'
import type { Proof } from '#proofs/harness/proof.ts'
import { askServer, differs, show } from '#proofs/host-configuration/answers.ts'
import { hostName, missingPackages } from '#apps/bff/src/testing/web-server.ts'
import { startWebServer, webServers } from '#proofs/host-configuration/web-servers.ts'
import { unpackSite } from '#scripts/sites/site-folder.ts'
import { listAddresses, listLinks } from './addresses.ts'
import { buildSite, type BuiltSite } from './build.ts'
import { sourceSites } from './sites.ts'

/** A missing page would count as found. */
const fault: Fault = {
  file: 'releases/hosting/serve-hosted.ts',
  instead: 'respondWithFile(file, request, status)',
  write: 'respondWithFile(file, request)',
}

/** Publishes a site at Docket, and serves the unpacked bundle by nginx with Docket's configuration. */
const openHosts = async ({ client }: RunningDocket, { files }: BuiltSite, place: number) => {
  const admin = siteAdmin(client)
  const bundle = await packSite(files)
  const { exportId, siteId } = await admin.upload(`built-${place}.example.com`, bundle)
  await admin.publish(siteId, 'production', exportId)
  await admin.open(siteId, 'production', 'public')
  const { folder, close } = await unpackSite(bundle)
  onEnd(() => close())
  // nginx reads it as another user.
  chmodSync(folder, 0o755)
  const asked = new URLSearchParams({ host: 'nginx', name: hostName, root: folder })
  const configuration = await client.ask<HostConfiguration>(
    'GET',
    `/api/static-exports/${exportId}/artifact/host-configuration?${asked.toString()}`,
  )
  const nginx = await startWebServer(webServers.nginx, configuration.files[0]!.text)
  const port = Number(new URL(client.url).port)
  return {
    askDocket: (address: string) => askServer(port, address, `built-${place}-example-com.localhost:${port}`),
    askNginx: (address: string) => askServer(nginx.port, address, `${hostName}:${nginx.port}`),
    stop: nginx.stop,
  }
}

/** Asks Docket and nginx for every address of a site. Answers in words where they differ, and the links that lead nowhere. */
export const compareHosts = async (docket: RunningDocket, site: BuiltSite, place: number) => {
  const { askDocket, askNginx, stop } = await openHosts(docket, site, place)
  const links = listLinks(site)
  const addresses = [...new Set([...listAddresses(site), ...links])]
  const [differing, dead]: [string[], string[]] = [[], []]
  // A hostname that nobody hosts yet counts for a second.
  await delay(1_100)
  for (const address of addresses) {
    const [own, other] = await Promise.all([askDocket(address), askNginx(address)])
    if (differs(own, other)) differing.push(`${address} is ${show(own)} at Docket, ${show(other)} at nginx`)
    if (own.status >= 400 && links.has(address)) dead.push(address)
  }
  await stop()
  return { asked: addresses.length, differing, dead }
}

export const proof: Proof = {
  name: 'built-sites',
  bar: 'sites that VitePress, Docusaurus, Starlight, Eleventy and Next build, at / and below a path: every file, clean address, link, redirect and missing address gets the same status, type, location and body from Docket’s hosting and from nginx with the configuration that Docket writes, run by another user; and every link of their pages is found',
  fault,
  run: async ({ planted, quick }) => {
    const missing = missingPackages([webServers.nginx])
    if (missing.length > 0) throw new Error(`Install what it needs first: apt-get install ${missing.join(' ')}`)
    const docket = await startDocket({}, planted ? [fault] : [])
    const work = temporaryFolder()
    const totals = { asked: 0, differing: 0, dead: 0 }
    const sites = quick ? sourceSites.filter(({ tool }) => tool.command[0] === 'eleventy') : sourceSites
    for (const [place, source] of sites.entries()) {
      const { asked, differing, dead } = await compareHosts(
        docket,
        await buildSite(source, join(work, source.tool.command[0]!)),
        place,
      )
      console.log(`  ${source.name}: ${asked} addresses, ${differing.length} differ, ${dead.length} links lead nowhere`)
      for (const line of [...differing, ...dead].slice(0, 40)) console.log(`    ${line}`)
      totals.asked += asked
      totals.differing += differing.length
      totals.dead += dead.length
    }
    return {
      ok: totals.differing + totals.dead === 0 && totals.asked > sites.length * 100,
      figure: `${totals.differing} of ${totals.asked} addresses of ${sites.length} sites differ, and ${totals.dead} links lead nowhere`,
    }
  },
}
