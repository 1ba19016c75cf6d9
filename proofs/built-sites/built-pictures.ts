import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromium, type Browser, type Page } from '@playwright/test'
import { openSourceFolder } from '#packages/sources/src/source-folder.ts'
import { temporaryFolder } from '#proofs/harness/docket.ts'
import { plant, type Fault } from '#proofs/harness/plant.ts'
import type { Proof } from '#proofs/harness/proof.ts'
import { serveSite } from '#scripts/sites/static-host.ts'
import { findBrowser } from '#e2e/support/browser.ts'
import { launchFlags } from '#e2e/support/launch-flags.ts'
import { buildSite, readFolder, type BuiltSite } from './build.ts'
import { sourceSites } from './sites.ts'

/** Routers would start anywhere, and find no page of theirs. */
const fault: Fault = {
  file: 'portable-site/src/rewrite/html.ts',
  instead: 'if (site.isGuarded && loads',
  write: 'if (!site.isGuarded && loads',
}

/** Pages of each site, and the largest share of pixels that may differ. */
const [pagesPerSite, maxShare] = [5, 0.01]
const views = [
  { width: 1440, colorScheme: 'light' },
  { width: 1440, colorScheme: 'dark' },
  { width: 375, colorScheme: 'light' },
] as const

const toBuffers = (files: BuiltSite['files']) =>
  new Map(Object.entries(files).map(([path, content]) => [path, Buffer.from(content)]))

/** Exports a site as its tool wrote it, into a folder. */
const exportBuilt = async ({ name, files }: BuiltSite) => {
  const [source, target] = [temporaryFolder(), temporaryFolder()]
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(source, path)), { recursive: true })
    await writeFile(join(source, path), content)
  }
  // Loaded after the fault was planted.
  const { exportSite } = await import('#packages/site-exporter/src/export-site.ts')
  const opened = { folder: await openSourceFolder(source), name, built: { mount: null, origins: [] } }
  await exportSite(opened, { domain: 'docs.example.com', version: null, target, paths: null })
  return { target, bundle: toBuffers(readFolder(target)) }
}

/** Share of the pixels that differ visibly. */
const compare = (judge: Page, pictures: readonly Buffer[]) =>
  judge.evaluate(
    async (sources) => {
      const read = async (source: string) => {
        const picture = new Image()
        picture.src = `data:image/png;base64,${source}`
        await picture.decode()
        const canvas = new OffscreenCanvas(picture.width, picture.height).getContext('2d')!
        canvas.drawImage(picture, 0, 0)
        return canvas.getImageData(0, 0, picture.width, picture.height).data
      }
      const [one, other] = [await read(sources[0]!), await read(sources[1]!)]
      let differing = 0
      for (let at = 0; at < one.length; at += 4)
        if ([0, 1, 2].some((channel) => Math.abs(one[at + channel]! - other[at + channel]!) > 24)) differing += 1
      return (differing * 4) / one.length
    },
    pictures.map((picture) => picture.toString('base64')),
  )

/** Pages with content, evenly spread over the site. */
const choosePages = ({ files }: BuiltSite) => {
  const paths = Object.keys(files)
    .filter((path) => /^(?!404|_|\.).*\.html$/.test(path) && !/http-equiv="?refresh/i.test(String(files[path])))
    .toSorted()
  return Array.from({ length: pagesPerSite }, (_, at) => paths[Math.floor((at * paths.length) / pagesPerSite)]!)
}

const encode = (path: string) => path.split('/').map(encodeURIComponent).join('/')
/** The address of a page at a host, where routers know a folder by no other. */
const toHosted = (path: string) => encode(path).replace(/(^|\/)index\.html$/, '$1')

/** Pictures of a site in four places beside those of the original. Answers in words what differs, and what asked another host. */
const compareSite = async (browser: Browser, site: BuiltSite) => {
  const { target, bundle } = await exportBuilt(site)
  const prefixes = [site.mount.slice(0, -1), '/some/where', '']
  const original = await serveSite(toBuffers(site.files), prefixes[0]!)
  const hosts = await Promise.all(prefixes.map((prefix) => serveSite(bundle, prefix)))
  const differing: string[] = []
  const shares: number[] = []
  const judge = await browser.newPage()
  for (const { width, colorScheme } of views) {
    const viewport = { width, height: 900 }
    const context = await browser.newContext({ viewport, colorScheme, reducedMotion: 'reduce' })
    const photograph = async (address: string) => {
      const tab = await context.newPage()
      tab.on('request', (request) => {
        if (!/^(?:http:\/\/127\.0\.0\.1:|file:|data:|blob:)/.test(request.url()))
          differing.push(`${address} asks ${request.url()}`)
      })
      await tab.goto(address, { waitUntil: 'networkidle' })
      const picture = await tab.screenshot({ animations: 'disabled' })
      await tab.close()
      return picture
    }
    for (const path of choosePages(site)) {
      const own = await photograph(original.url + toHosted(path))
      for (const place of [
        ...hosts.map(({ url }) => url + toHosted(path)),
        `${pathToFileURL(target).href}/${encode(path)}`,
      ]) {
        const share = await compare(judge, [own, await photograph(place)])
        shares.push(share)
        if (share >= maxShare)
          differing.push(`${place} differs by ${(share * 100).toFixed(2)} % at ${width} px, ${colorScheme}`)
      }
    }
    await context.close()
  }
  await Promise.all([judge, original, ...hosts].map((one) => one.close()))
  return { differing, largest: Math.max(...shares), pictures: shares.length }
}

export const proof: Proof = {
  name: 'built-pictures',
  bar: 'five pages of each site that VitePress, Starlight and Docusaurus build below a path look like the original in the portable bundle, at the path that the site was built for, below another one, at the root of a host and from a disk, wide, narrow, light and dark: fewer than 1 % of the pixels differ, and nothing is asked of another host',
  fault,
  run: async ({ planted }) => {
    if (planted) plant([fault])
    const work = temporaryFolder()
    const browser = await chromium.launch({ executablePath: await findBrowser(), args: [...launchFlags] })
    const totals = { pictures: 0, differing: 0, largest: 0 }
    const sites = sourceSites.filter(({ name }) => /^(?:VitePress|Starlight|Docusaurus) at \/proj\/$/.test(name))
    try {
      for (const source of sites) {
        const site = await buildSite(source, join(work, source.tool.command[0]!))
        const { differing, largest, pictures } = await compareSite(browser, site)
        console.log(
          `  ${source.name}: ${pictures} pictures, ${(largest * 100).toFixed(2)} % of the pixels differ at most`,
        )
        for (const line of differing.slice(0, 40)) console.log(`    ${line}`)
        totals.pictures += pictures
        totals.differing += differing.length
        totals.largest = Math.max(totals.largest, largest)
      }
    } finally {
      await browser.close()
    }
    return {
      ok: totals.differing === 0 && totals.pictures === 3 * pagesPerSite * views.length * 4,
      figure: `${totals.differing} remarks on ${totals.pictures} pictures of ${sites.length} sites; at most ${(totals.largest * 100).toFixed(2)} % of the pixels of one differ`,
    }
  },
}
