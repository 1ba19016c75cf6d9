import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { chromium, expect, type Page } from '@playwright/test'
import { packTar } from 'modern-tar'
import { onEnd } from '#bench/harness/cleanup.ts'
import { plainEnvironment } from '#apps/bff/src/testing/launch.ts'
import { findBrowser } from '#e2e/support/browser.ts'
import { launchFlags } from '#e2e/support/launch-flags.ts'
import { download, exportRow } from '#e2e/support/story.ts'
import { startDocket, temporaryFolder } from '#proofs/harness/docket.ts'
import type { Fault } from '#proofs/harness/plant.ts'
import type { Proof } from '#proofs/harness/proof.ts'
import { playHostedSites } from './hosted-sites.ts'
import { hostedNames, hostName, missingPackages, proxyKinds, startProxy, type RunningProxy } from './proxy-servers.ts'
import { askThrough, askWithoutTls, clientAddress, readProtocol } from './through.ts'

const origin = `https://${hostName}`
const canary = 'canary-of-a-ticket'
/** Larger than what proxies take unless they are told to. */
const uploadBytes = 24 * 1024 * 1024

// One for each proxy: the host of hosted sites is not forwarded, or that of Docket, or the address of the client.
const fault: Fault = {
  file: 'deploy/nginx/hosted-sites.conf',
  instead: '    proxy_set_header Host $http_host;\n',
  write: '',
}

const account = { email: 'ada@example.com', password: randomBytes(18).toString('base64') }

/** Writes a small site that an export reads. Answers with its folder, and with a function that changes a word. */
const writeSource = () => {
  const folder = join(temporaryFolder(), 'docs')
  mkdirSync(join(folder, 'guide'), { recursive: true })
  const index = (word: string) => writeFileSync(join(folder, 'index.md'), `# Home\n\nThe ${word} words.\n`)
  index('first')
  writeFileSync(join(folder, 'guide', 'start.md'), '# Start\n\nStart here.\n')
  return { folder, change: () => index('second') }
}

const openPage = async (proxy: RunningProxy) => {
  const names = [hostName, ...Object.values(hostedNames)]
  const rules = names.map((name) => `MAP ${name}:443 127.0.0.1:${proxy.httpsPort}`)
  const browser = await chromium.launch({
    executablePath: await findBrowser(),
    args: [...launchFlags, `--host-resolver-rules=${rules.join(',')}`],
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  })
  const close = onEnd(() => browser.close())
  const context = await browser.newContext({ ignoreHTTPSErrors: true })
  context.setDefaultTimeout(60_000)
  return { context, page: await context.newPage(), close }
}

/** Uses the link of the first start, and exports. Answers with the bundle as the browser saved it. */
const setUpAndExport = async (page: Page, link: string) => {
  await page.goto(link)
  await page.getByLabel('E-mail').fill(account.email)
  await page.getByLabel('Password', { exact: true }).fill(account.password)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByRole('button', { name: 'Export docs.localhost' }).click()
  const row = exportRow(page, 'docs.localhost')
  await expect(row.getByText(/^Stored/)).toBeVisible({ timeout: 120_000 })
  const { bytes } = await download(page, row)
  await row.getByRole('link', { name: 'docs.localhost', exact: true }).click()
  await page.waitForURL(/\/exports\/[0-9a-f-]{36}/)
  return { bytes, exportId: /[0-9a-f-]{36}/.exec(page.url())?.[0] ?? '' }
}

/** Uploads a large bundle by the page's form. Answers with whether Docket shows the right checksum. */
const upload = async (page: Page): Promise<boolean> => {
  const file = join(temporaryFolder(), 'large.tar.gz')
  const tar = await packTar([
    { header: { name: 'index.html', type: 'file', size: 21 }, body: '<!doctype html>Hello.' },
    { header: { name: 'video.mp4', type: 'file', size: uploadBytes }, body: randomBytes(uploadBytes) },
  ])
  const bytes = gzipSync(tar, { level: 1 })
  writeFileSync(file, bytes)
  await page.goto(`${origin}/exports`)
  // The form moves when the list comes, and a dialog in it would close.
  await exportRow(page, 'docs.localhost').waitFor()
  await page.getByRole('button', { name: 'Upload a bundle' }).click()
  const dialog = page.getByRole('dialog', { name: 'Upload a bundle' })
  await dialog.getByLabel('File').setInputFiles(file)
  await dialog.getByLabel('Domain').fill('large.example.com')
  await dialog.getByRole('button', { name: 'Upload', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'large.example.com' }).waitFor({ timeout: 120_000 })
  const shown = await page.getByRole('main').textContent()
  return shown?.includes(createHash('sha256').update(bytes).digest('hex')) === true
}

/** Clones the repository of the embedded code host as people do, with a token as the password. */
const clone = async (proxy: RunningProxy, token: string): Promise<boolean> => {
  const folder = join(temporaryFolder(), 'clone')
  const settings = {
    'http.sslVerify': 'false',
    'http.curloptResolve': `${hostName}:${proxy.httpsPort}:127.0.0.1`,
  }
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  // The port is not the one of the address, so the name goes along as it would with port 443.
  const headers = [`Host: ${hostName}`, `Authorization: Basic ${Buffer.from(`git:${token}`).toString('base64')}`]
  const extra = headers.flatMap((header) => ['-c', `http.extraHeader=${header}`])
  const from = `https://${hostName}:${proxy.httpsPort}/git/docs.git`
  const env = { ...plainEnvironment(), GIT_TERMINAL_PROMPT: '0' }
  await promisify(execFile)('git', [...options, ...extra, 'clone', '-q', from, folder], { env })
  return existsSync(join(folder, '.git', 'HEAD')) && readFileSync(join(folder, '.git', 'HEAD'), 'utf8').length > 0
}

/** Uses Docket through a proxy. Answers with what went wrong. */
const play = async (name: string, planted: boolean): Promise<string[]> => {
  const source = writeSource()
  const docket = await startDocket(
    {
      PUBLIC_URL: origin,
      HOSTING_URL: `https://${hostedNames.wildcard}`,
      TRUSTED_PROXIES: '127.0.0.1',
      LOCAL_SITES: `docs.localhost=${source.folder}`,
      LOG_LEVEL: 'warn',
    },
    [],
    // Whoever uses the link first is the admin; here, the browser.
    '',
  )
  const wrong: string[] = []
  const check = (ok: boolean, what: string) => void (ok || wrong.push(`${name}: ${what}`))
  const start = (deadReplicas: number) =>
    startProxy(proxyKinds[name]!, Number(new URL(docket.client.url).port), {
      deadReplicas,
      faults: planted ? [fault] : [],
    })
  const alone = await start(0)
  const only = await askThrough(alone, { path: '/readyz' })
  check(only.status === 200, `/readyz of a single replica answers ${only.status}`)
  await alone.stop()
  const proxy = await start(2)
  const ready = await askThrough(proxy, { path: '/readyz' })
  check(ready.status === 200, `/readyz answers ${ready.status}`)
  check((await readProtocol(proxy, hostName)) === 'h2', 'no HTTP/2')
  const moved = await askWithoutTls(proxy, { path: '/exports?q=a' })
  check(moved.status === 308 && moved.headers['location'] === `${origin}/exports?q=a`, 'port 80 does not redirect')

  const { context, page, close } = await openPage(proxy)
  const link = /Open (\S+) to create the first account/.exec(docket.wrote())?.[1] ?? ''
  const { bytes, exportId } = await setUpAndExport(page, link)
  const cookie = (await context.cookies(origin)).map((one) => `${one.name}=${one.value}`).join('; ')
  const path = `/api/static-exports/${exportId}/download`
  const whole = await askThrough(proxy, { path, headers: { cookie, 'accept-encoding': 'gzip' } })
  check(
    whole.status === 200 && whole.body.equals(bytes),
    `a download has ${whole.body.length} bytes of ${bytes.length}`,
  )
  const part = await askThrough(proxy, { path, headers: { cookie, range: 'bytes=1000-4999' } })
  check(part.status === 206 && part.body.equals(bytes.subarray(1000, 5000)), `a Range gets ${part.status}`)
  const etag = whole.headers['etag']
  check(
    typeof etag === 'string' && etag.startsWith('"') && etag === part.headers['etag'],
    `the ETag is ${String(etag)}`,
  )
  check(await upload(page), 'an upload arrived with other bytes')

  const own = { cookie, origin, 'sec-fetch-site': 'same-origin', 'x-docket': '1', 'content-type': 'application/json' }
  const made = await askThrough(proxy, {
    method: 'POST',
    path: '/api/tokens',
    // What a client claims about itself is worth nothing.
    headers: { ...own, 'x-forwarded-for': '203.0.113.9' },
    body: JSON.stringify({ name: 'git', scope: 'read', expiresInDays: 1 }),
  })
  check(made.status === 201, `a token gets ${made.status}`)
  const { token = '' } = JSON.parse(made.body.toString()) as { token?: string }
  check(await clone(proxy, token), 'git clone has no repository')
  const audit = await askThrough(proxy, { path: '/api/audit', headers: { cookie } })
  const rows = (JSON.parse(audit.body.toString()) as { items: { address: string | null }[] }).items
  check(rows[0]?.address === clientAddress, `the audit names ${rows[0]?.address}, not the client`)
  check(rows.at(-1)?.address === '127.0.0.1', `the audit names ${rows.at(-1)?.address}, not the browser`)

  await page.goto(`${origin}/exports/${exportId}`)
  await playHostedSites(proxy, { page, cookie, ...account }, { change: source.change, check })
  for (const secret of [`/api/status?ticket=${canary}`, `/preview/${canary}/.docket/open?ticket=${canary}`])
    await askThrough(proxy, { path: secret })
  await askThrough(proxy, { host: hostedNames.channel, path: `/.docket/open?ticket=${canary}` })
  await close()
  await proxy.stop()
  check(/GET\W.*\/api\/status/.test(proxy.readLog()), `its log has no requests:\n${proxy.readLog().slice(0, 500)}`)
  check(!proxy.readLog().includes(canary), 'its log has a ticket')
  await docket.stop()
  return wrong
}

/** Uses Docket through every proxy of `deploy/`, with the files as they are shipped. */
export const proof: Proof = {
  name: 'proxies',
  bar: 'through nginx, Caddy and HAProxy with the files of deploy/, for one replica and with one live replica of three: set-up, an export, its download with Range and ETag, an upload of 24 MB, git clone, HTTP/2, the right addresses in the audit, and no ticket in a log; at the names of hosted sites, publishing, publication and rollback, sign-in and the way back, cookies, redirects, 404, gzip and ETag',
  fault,
  run: async ({ planted }) => {
    const missing = missingPackages()
    if (missing.length > 0) throw new Error(`Install what it needs first: apt-get install ${missing.join(' ')}`)
    const names = Object.keys(proxyKinds)
    const wrong = new Map<string, string[]>()
    for (const name of names)
      wrong.set(
        name,
        await play(name, planted).catch((error: unknown) => {
          if (!planted) throw error
          return [`${name}: ${String(error).split('\n')[0]}`]
        }),
      )
    const bad = [...wrong.values()].filter((one) => one.length > 0)
    return {
      ok: bad.length === 0,
      figure: `${names.length - bad.length} of ${names.length} proxies serve Docket right${bad.length === 0 ? '' : ` (${bad.flat().join('; ')})`}`,
    }
  },
}
