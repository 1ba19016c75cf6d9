import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { startDatabaseServer } from '#bench/harness/database.ts'
import { docketClient, type DocketClient } from '#apps/bff/src/testing/docket-client.ts'
import { testSecret } from '#apps/bff/src/testing/instance.ts'
import { docketProgram, launchDocket } from '#apps/bff/src/testing/launch.ts'
import { readCookie } from '#apps/bff/src/people/accounts/oidc/testing/sign-ins.ts'
import type { AgentJob } from '#packages/api-types/src/records/agent-jobs.ts'
import type { StaticExport } from '#packages/api-types/src/records/static-exports.ts'
import type { Session } from '#packages/api-types/src/people/session.ts'
import { proxiedCertificate } from '#packages/outbound/src/testing/connect-proxy.ts'
import { temporaryFolder } from '#proofs/harness/docket.ts'
import { plantedEnvironment, type Fault } from '#proofs/harness/plant.ts'
import type { Proof } from '#proofs/harness/proof.ts'
import { findObstacle, openNetwork } from './network.ts'
import { openOutside, outsideUrl } from './outside.ts'

/** git clones without the proxy. */
const fault: Fault = {
  file: 'sources/src/git/git.ts',
  instead: "remote?.startsWith('http') && listGitVariables",
  write: "remote?.startsWith('nothing') && listGitVariables",
}

const limitMs = 90_000

/** Asks until the answer fits. Returns the last one. */
const waitFor = async <T>(ask: () => Promise<T>, fits: (answer: T) => boolean): Promise<T> => {
  const until = performance.now() + limitMs
  for (;;) {
    const answer = await ask()
    if (fits(answer) || performance.now() > until) return answer
    await delay(250)
  }
}

const startExport = async ({ ask }: DocketClient, domain: string, connectionId: string): Promise<StaticExport> => {
  const body = { requestId: crypto.randomUUID(), domain, connectionId }
  const { export: started } = await ask<{ export: StaticExport }>('POST', '/api/static-exports', body)
  const path = `/api/static-exports/${started.exportId}`
  const isEnded = ({ finishedAt }: StaticExport) => finishedAt !== null
  return waitFor(() => ask<StaticExport>('GET', path), isEnded)
}

/** Docket where the only way out is a proxy with CONNECT, which alone can resolve names. */
export const proof: Proof = {
  name: 'connect-only',
  bar: 'in a network whose only way out is CONNECT, every part of Docket that calls others works, and nothing is tried past the proxy',
  fault,
  run: async ({ planted }) => {
    const obstacle = findObstacle()
    if (obstacle !== null) throw new Error(`This proof can't be played here: ${obstacle}.`)
    const { proxy, provider, objects, sha256 } = await openOutside()
    const network = await openNetwork(Number(new URL(proxy.url).port), proxiedCertificate.cert)
    const databases = await startDatabaseServer(temporaryFolder())
    const folder = temporaryFolder()
    const certificates = join(folder, 'company.pem')
    writeFileSync(certificates, proxiedCertificate.cert)
    const env = {
      PORT: String(network.port),
      HTTPS_PROXY: network.proxyUrl,
      NODE_EXTRA_CA_CERTS: certificates,
      DATABASE_URL: await databases.database(),
      DATA_DIR: join(folder, 'data'),
      AUTH_SECRET: testSecret,
      SHUTDOWN_DRAIN_MS: '0',
      ADMIN_API_URL: outsideUrl('api'),
      ADMIN_API_KEY: 'prove_key-0123456789',
      LOCAL_SITES: `git.example.com=git+${outsideUrl('git')}/acme/handbook.git,mirror.example.com=${outsideUrl('site')}`,
      ARTIFACT_S3_BUCKET: 'docket',
      ARTIFACT_S3_ENDPOINT: outsideUrl('s3'),
      ARTIFACT_S3_ACCESS_KEY_ID: 'docket',
      ARTIFACT_S3_SECRET_ACCESS_KEY: 'prove_secret-0123456789',
      OIDC_ISSUER: outsideUrl('login'),
      OIDC_CLIENT_ID: 'docket',
      OIDC_CLIENT_SECRET: 's3cret',
      OIDC_OPERATOR_GROUP: 'docs',
      ...plantedEnvironment(planted ? [fault] : []),
    }
    const wrong: string[] = []
    const check = network.launchInside(process.execPath, [docketProgram, 'check-config', '--reach'], { env })
    const checked = await check.ended
    const docket = launchDocket(env, { run: network.launchInside })
    const { plainUrl } = await docket.addresses
    const client = docketClient(plainUrl, await docket.adminCookie())
    const { ask } = client

    const { items } = await ask<{ items: { connectionId: string; baseUrl: string }[] }>('GET', '/api/connections')
    const remote = items.find(({ baseUrl }) => baseUrl === outsideUrl('api'))?.connectionId ?? ''
    const own = items.find(({ connectionId }) => connectionId !== remote)?.connectionId ?? ''
    await ask('POST', `/api/connections/${remote}/code-hosts`, {
      kind: 'gitea',
      url: outsideUrl('git'),
      token: 'token',
    })
    const jobs = [{ projectId: 'handbook', id: 'job-1' }]
    await ask('POST', '/api/agent-jobs', { connectionId: remote, jobs })

    const download = async ({ exportId }: StaticExport) => {
      const response = await client.get(`/api/static-exports/${exportId}/download`)
      return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) }
    }
    const exported = await startExport(client, 'docs.example.com', remote)
    const { bytes } = await download(exported)
    if (createHash('sha256').update(bytes).digest('hex') !== sha256) wrong.push('the bundle has another sum')
    const isStored = () => [...objects.values()].some((object) => object.equals(bytes))
    await waitFor(async () => isStored(), Boolean)
    for (const domain of ['git.example.com', 'mirror.example.com']) {
      const one = await startExport(client, domain, own)
      const got = await download(one)
      if (one.state !== 'completed' || got.status !== 200) wrong.push(`${domain} ended as ${one.state}: ${one.reason}`)
    }
    if (exported.state !== 'completed') wrong.push(`the export ended as ${exported.state}: ${exported.reason}`)
    if (!isStored()) wrong.push('the bundle is not in the store')

    const began = await client.post('/api/auth/oidc', { returnTo: '/exports' }, { cookie: '' })
    const { url = '' } = (await began.json()) as { url?: string }
    provider.state.person = {
      sub: 'ada',
      email: 'ada@example.com',
      email_verified: true,
      name: 'Ada',
      groups: ['docs'],
    }
    if (!url.startsWith(outsideUrl('login'))) wrong.push(`no sign-in began: ${began.status}`)
    else {
      // A browser has its own way out.
      const { pathname, search } = new URL(url)
      const there = await fetch(`http://127.0.0.1:${provider.port}${pathname}${search}`, { redirect: 'manual' })
      const back = new URL(there.headers.get('location') ?? '')
      const returned = await client.get(back.pathname + back.search, { cookie: readCookie(began) })
      const session = await client.get('/api/session', { cookie: readCookie(returned) })
      const { person } = (await session.json()) as Session
      if (person?.role !== 'operator' || person.email !== 'ada@example.com') wrong.push('nobody is signed in')
    }

    const readJob = () => ask<AgentJob>('GET', '/api/agent-jobs/handbook/job-1')
    const job = await waitFor(readJob, ({ pullRequest }) => pullRequest?.state === 'open')
    if (job.pullRequest?.state !== 'open') wrong.push('the pull request was not read')

    const code = await docket.stop().then((ended) => ended.code)
    if (code !== 0) wrong.push(`Docket ended with ${code}`)
    const names = ['api', 'storage', 'git', 's3', 'site', 'login'].filter(
      (name) => !proxy.places.includes(`${name}.proxied.example:443`),
    )
    if (names.length > 0) wrong.push(`the proxy was not asked for ${names.join(', ')}`)
    const others = network.countOthers()
    if (others !== 0) wrong.push(`${others} connections or questions were tried past the proxy`)
    if (checked.code !== 0) wrong.push(`check-config --reach: ${checked.stdout}`)
    return {
      ok: wrong.length === 0,
      figure: `${proxy.places.length} connections through the proxy, ${others} tried past it${wrong.map((line) => `\n  ${line}`).join('')}`,
    }
  },
}
