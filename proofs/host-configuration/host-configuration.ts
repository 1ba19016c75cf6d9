import { hostName, missingPackages } from '#apps/bff/src/testing/web-server.ts'
import { plant, type Fault } from '#proofs/harness/plant.ts'
import type { Proof } from '#proofs/harness/proof.ts'
import { askServer, differs, show } from './answers.ts'
import { makeBundles } from './bundles.ts'
import { playCloudFront } from './cloudfront.ts'
import { decodeAddress, isOwnAddress } from '#packages/site-bundle/src/locator/addresses.ts'
import { createDocketAnswers, listAddresses, type Answer } from './expected.ts'
import { openBundle, type OpenedBundle } from './opened-bundle.ts'
import { startWebServer, webServers } from './web-servers.ts'

const hosts = ['nginx', 'caddy', 'apache', 's3_cloudfront'] as const
type ProvedHost = (typeof hosts)[number]

/** Pages without their ending. */
const fault: Fault = {
  file: 'site-bundle/src/host-configuration/nginx.ts',
  instead: 'try_files ${first} ${tryFile} ${named}_file;',
  write: 'try_files ${first} ${file} ${named}_file;',
}

/** Addresses of a bundle in the short form. */
const quickAddresses = 40

const openHost = async (host: ProvedHost, opened: OpenedBundle) => {
  const { writeHostConfiguration } = await import('#packages/site-bundle/src/host-configuration/write-configuration.ts')
  const place = { name: hostName, folder: opened.folder, path: opened.path }
  const files = writeHostConfiguration(host, opened.manifest, place)
  if (host === 's3_cloudfront') return { ask: playCloudFront(opened, files), stop: async () => {} }
  const { port, stop } = await startWebServer(webServers[host], files[0]!.text)
  return { ask: (address: string) => askServer(port, address, `${hostName}:${port}`), stop }
}

/** What the files of other hosts than nginx say: every address outside the path of the site is redirected. */
const withoutLeftOut = (expected: Answer, address: string, host: ProvedHost, { path }: OpenedBundle): Answer => {
  const decoded = decodeAddress(address) ?? '//'
  // Caddy ignores case in paths.
  const isBelow = (host === 'caddy' ? decoded.toLowerCase() : decoded).startsWith(path)
  return isBelow || expected.status < 400 || !isOwnAddress(decoded) || decoded.includes('\\')
    ? expected
    : { status: 302, location: path.slice(0, -1) + address, sha256: null, type: null }
}

/** Every page, file, redirect and unknown address of five bundles answers at every host as in Docket. */
export const proof: Proof = {
  name: 'host-configuration',
  bar: 'with the configuration that Docket writes for nginx, Caddy, Apache and a CloudFront Function, every page, file, redirect, sitemap address and unknown address of five bundles has the status, location, body and type that Docket’s own hosting has',
  fault,
  run: async ({ planted, quick }) => {
    const missing = missingPackages(Object.values(webServers))
    if (missing.length > 0) throw new Error(`Install what it needs first: apt-get install ${missing.join(' ')}`)
    if (planted) plant([fault])
    const wrong = new Map<ProvedHost, string[]>(hosts.map((host) => [host, []]))
    let asked = 0
    for (const served of await makeBundles()) {
      const opened = await openBundle(served)
      const all = listAddresses(opened)
      const addresses = quick ? all.filter((_, place) => place % Math.ceil(all.length / quickAddresses) === 0) : all
      const answerAsDocket = createDocketAnswers(opened)
      for (const host of hosts) {
        const { ask: askHost, stop } = await openHost(host, opened)
        for (const address of addresses) {
          const docket = answerAsDocket(address)
          const expected = host === 'nginx' ? docket : withoutLeftOut(docket, address, host, opened)
          const answer = await askHost(address)
          asked += 1
          if (differs(expected, answer))
            wrong.get(host)!.push(`${served.name}: ${address} is ${show(answer)}, not ${show(expected)}`)
        }
        await stop()
      }
    }
    for (const [host, lines] of wrong) for (const line of lines.slice(0, 40)) console.log(`  ${host}, ${line}`)
    const bad = [...wrong.values()].filter((lines) => lines.length > 0)
    return {
      ok: bad.length === 0,
      figure: `${[...wrong.values()].flat().length} of ${asked} answers differ from Docket’s, at ${bad.length} of ${hosts.length} hosts`,
    }
  },
}
