import { access } from '#apps/bff/src/http/access/access.ts'
import { crossSiteVectors, isCrossSiteRefusal } from '#apps/bff/src/http/access/testing/cross-site-vectors.ts'
import { peopleAt } from '#apps/bff/src/testing/people-at.ts'
import { seedRecordsAt } from '#apps/bff/src/testing/seed-records.ts'
import { onEnd } from '#bench/harness/cleanup.ts'
import { startDatabaseServer } from '#bench/harness/database.ts'
import { tryFromForeignPages } from './foreign-page.ts'
import { exchange } from '#proofs/harness/exchange.ts'
import type { Proof } from '#proofs/harness/proof.ts'
import { startDocket, temporaryFolder } from '#proofs/harness/docket.ts'
import type { Fault } from '#proofs/harness/plant.ts'

const faults: Fault[] = [
  {
    file: 'http/access/same-origin.ts',
    instead: "if (c.req.method === 'GET' || c.req.method === 'HEAD') return next()",
    write: 'return next()',
  },
]

/** Git sends an API token: its route takes no session, and is none for a preflight. */
const isRefusalOfGit = (method: string, path: string, status: number) =>
  path.startsWith('/git/') && status === (method === 'OPTIONS' ? 404 : 401)

const isUnsafe = (route: string) => !/^(GET|HEAD) /.test(route)

/** Tries every change in every way that foreign pages have, with the session of an admin. */
export const proof: Proof = {
  name: 'cross-site',
  bar: `of ${crossSiteVectors.length} cross-site vectors, and everything a page in a real browser can send, none is accepted at any unsafe route`,
  faults,
  run: async ({ planted }) => {
    const databases = await startDatabaseServer(temporaryFolder())
    const databaseUrl = await databases.database((url) =>
      seedRecordsAt(url, { exports: 20, jobs: 20, active: 2, now: Date.now() }),
    )
    const people = peopleAt(databaseUrl)
    onEnd(people.close)
    const cookie = await people.cookieOf('admin')
    const docket = await startDocket({ DATABASE_URL: databaseUrl }, planted ? faults : [], cookie)
    const own = {
      origin: docket.client.url,
      host: new URL(docket.client.url).host,
      port: Number(new URL(docket.client.url).port),
    }
    const [exportId] = await people.column('select export_id from static_exports order by export_id')
    const [projectId] = await people.column('select project_id from agent_jobs order by id')
    const [id] = await people.column('select id from agent_jobs order by id')
    const toPath = (path: string) =>
      path.replaceAll(/:(\w+)/g, (_, name: string) => String({ exportId, projectId, id }[name] ?? exportId))
    const routes = Object.keys(access)
      .filter(isUnsafe)
      .map((route) => {
        const [method = '', path = ''] = route.split(' ')
        // A valid body, so that only the rule about other sites can refuse it.
        const body = path === '/api/static-exports' ? { requestId: crypto.randomUUID(), domain: 'docs.localhost' } : {}
        return { method, path: toPath(path), body: JSON.stringify(body) }
      })
    const records = () =>
      people.column(
        `select jsonb_build_array((select count(*) from static_exports), (select count(*) from static_exports where removed_at is not null),
          (select count(*) from agent_jobs), (select count(*) from agent_jobs where removed_at is not null),
          (select count(*) from users), (select count(*) from api_tokens), (select count(*) from sessions))::text`,
      )

    const send = async (method: string, path: string, headers: Record<string, string>, body: string) => {
      const lines = Object.entries({ host: own.host, ...headers, 'content-length': String(Buffer.byteLength(body)) })
      const connection = headers['upgrade'] === undefined ? 'close' : 'Upgrade, close'
      const head = `${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}connection: ${connection}\r\n\r\n`
      return exchange(own.port, Buffer.from(head + body), { whole: true })
    }

    const before = await records()
    let [tried, accepted] = [0, 0]
    const wrong: string[] = []
    for (const { method, path, body } of routes)
      for (const vector of crossSiteVectors) {
        tried += 1
        const usedMethod = vector.method ?? method
        const payload = usedMethod === 'GET' ? '' : (vector.body?.(body) ?? body)
        const answer = await send(usedMethod, path + (vector.query ?? ''), { cookie, ...vector.headers(own) }, payload)
        // A GET may be answered; only changes matter.
        const isHarmless =
          usedMethod === 'GET'
            ? answer.status >= 200 && answer.status < 500 && answer.status !== 204
            : isCrossSiteRefusal(answer.status, answer.body) || isRefusalOfGit(usedMethod, path, answer.status)
        const allowed = /^access-control-allow/im.test(answer.head)
        if (isHarmless && !allowed) continue
        accepted += 1
        if (wrong.length < 10)
          wrong.push(`${usedMethod} ${path} by ${vector.name}: ${answer.status} ${answer.body.slice(0, 100)}`)
      }

    const heardBefore = docket.wrote().length
    await tryFromForeignPages(
      docket.client.url,
      cookie,
      routes.map(({ method, path, body }) => ({ method, url: own.origin + path, body })),
    )
    const answered = docket
      .wrote()
      .slice(heardBefore)
      .split('\n')
      .filter((line) => line.includes('"msg":"answered"') || line.includes('"answered"'))
      .flatMap((line) => {
        const method = /"method":"(\w+)"/.exec(line)?.[1]
        const status = Number(/"status":(\d+)/.exec(line)?.[1])
        const path = /"path":"([^"]+)"/.exec(line)?.[1] ?? ''
        return method === undefined || method === 'GET' ? [] : [{ method, path, status }]
      })
    const accepting = answered.filter(
      ({ method, path, status }) => ![400, 403, 405].includes(status) && !isRefusalOfGit(method, path, status),
    ).length
    const changed = JSON.stringify(await records()) === JSON.stringify(before) ? 0 : 1

    // The same changes pass that rule from Docket's own page. Otherwise the refusals above would prove nothing.
    let reached = 0
    for (const { method, path, body } of routes) {
      const headers = {
        cookie: await people.cookieOf('admin'),
        origin: own.origin,
        'sec-fetch-site': 'same-origin',
        'x-docket': '1',
        'content-type': 'application/json',
      }
      const { status, body: text } = await send(method, path, headers, body)
      if (status > 0 && !isCrossSiteRefusal(status, text)) reached += 1
      else wrong.push(`an own page was refused: ${method} ${path} ${status} ${text.slice(0, 100)}`)
    }
    for (const line of wrong) console.log(`  ${line}`)
    return {
      ok: accepted + accepting + changed === 0 && reached === routes.length && answered.length >= routes.length * 5,
      figure: `${accepted} of ${tried} accepted (${crossSiteVectors.length} vectors, ${routes.length} unsafe routes), ${accepting} of ${answered.length} that a browser sent from two foreign pages, ${changed === 0 ? 'nothing' : 'something'} changed; an own page reached ${reached} of ${routes.length}`,
    }
  },
}
