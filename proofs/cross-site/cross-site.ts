import { access } from '#apps/bff/src/ground/http/access/access.ts'
import { peopleAt } from '#apps/bff/src/testing/people-at.ts'
import { seedRecordsAt } from '#apps/bff/src/testing/seed-records.ts'
import { onEnd } from '#bench/harness/cleanup.ts'
import { startDatabaseServer } from '#bench/harness/database.ts'
import { tryFromForeignPages } from './foreign-page.ts'
import type { Proof } from '#proofs/harness/proof.ts'
import { startDocket, temporaryFolder } from '#proofs/harness/docket.ts'
import type { Fault } from '#proofs/harness/plant.ts'

const fault: Fault = {
  file: 'ground/http/access/same-origin.ts',
  instead: "if (c.req.method === 'GET' || c.req.method === 'HEAD') return next()",
  write: 'return next()',
}

/** Git sends an API token: its route takes no session, and is none for a preflight. */
const isRefusalOfGit = (method: string, path: string, status: number) =>
  path.startsWith('/git/') && status === (method === 'OPTIONS' ? 404 : 401)

const isUnsafe = (route: string) => !/^(GET|HEAD) /.test(route)

/**
 * Tries every change in every way that a browser has for foreign pages, with the session of an admin.
 * `ground/http/access/same-origin.test.ts` tries what no browser sends, and that Docket's own pages get through.
 */
export const proof: Proof = {
  name: 'cross-site',
  bar: 'of everything that two foreign pages in a real browser can send none is accepted at any unsafe route',
  fault,
  run: async ({ planted }) => {
    const databases = await startDatabaseServer(temporaryFolder())
    const databaseUrl = await databases.database((url) =>
      seedRecordsAt(url, { exports: 20, jobs: 20, active: 2, now: Date.now() }),
    )
    const people = peopleAt(databaseUrl)
    onEnd(people.close)
    const cookie = await people.cookieOf('admin')
    const docket = await startDocket({ DATABASE_URL: databaseUrl }, planted ? [fault] : [], cookie)
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

    const before = await records()
    const heardBefore = docket.wrote().length
    await tryFromForeignPages(
      docket.client.url,
      cookie,
      routes.map(({ method, path, body }) => ({ method, url: docket.client.url + path, body })),
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

    return {
      ok: accepting + changed === 0 && answered.length >= routes.length * 5,
      figure: `${accepting} of ${answered.length} requests to ${routes.length} unsafe routes that a browser sent from two foreign pages were accepted, ${changed === 0 ? 'nothing' : 'something'} changed`,
    }
  },
}
