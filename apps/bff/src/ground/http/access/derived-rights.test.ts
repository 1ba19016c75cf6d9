import { request } from 'node:http'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CreatedApiToken } from '@docket/api-types/tokens'
import { defaultPublishChecks, PublishChecks, Proposal } from '@docket/api-types/publish-checks'
import { Session, type Role } from '@docket/api-types/session'
import { StartedStaticExport } from '@docket/api-types/static-exports'
import { siteInMemory } from '@docket/site-bundle/testing/site-in-memory'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { startProviderStandIn, type StandInPerson } from '#people/accounts/oidc/testing/provider-stand-in.ts'
import { readCookie, readRefusal, settingsFor, signIn, somebody } from '#people/accounts/oidc/testing/sign-ins.ts'
import { withPassword } from '#people/accounts/testing/browser.ts'
import { includesRole } from '@docket/api-types/roles'
import { testArtifacts } from '#testing/artifact-kit.ts'
import { previewApp } from '#testing/preview-app.ts'
import { testApp, type TestApp } from '#testing/test-app.ts'
import { bearerHeaders } from '#testing/tokens.ts'

/** Somebody who signs in through the identity provider, as an admin. */
type Owner = { person: StandInPerson; userId: string; name: string; cookie: string }
/** True while what somebody was given still works. */
type Probe = () => Promise<boolean>

const folder = await mkdtemp(join(tmpdir(), 'docket-derived-'))
const provider = await startProviderStandIn()
const site = siteInMemory({ 'index.html': '<h1>Home</h1>' })
const oidc = settingsFor(provider)
const artifacts = { ...testArtifacts(folder), openSite: () => site }
const app = await previewApp(site, { oidc, artifacts })
/** A second process on the same database. */
const replica = await testApp({ database: { db: app.db, url: app.databaseUrl }, oidc, artifacts })
afterAll(async () => {
  await replica.close()
  await app.close()
  await provider.close()
  await rm(folder, { recursive: true, force: true })
})

const octets = { 'content-type': 'application/octet-stream' }
const uploadPath = '/api/static-exports/upload?domain=docs.example.com&version=1'
const label = 'docs-example-com'
const hosted = `latest--${label}.localhost:${app.port}`
const page = { 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate' }
let exportId: string
let ofProduction: string

beforeAll(async () => {
  const made = await app.post(uploadPath, '[] first', octets)
  ;({ exportId } = StartedStaticExport.parse(await made.json()).export)
  const { rows } = await app.db.execute<{ path: string }>(
    sql`select concat('/api/sites/', site_id, '/channels/', channel_id) as path from channels where name = 'production'`,
  )
  ofProduction = rows[0]!.path
  const change = { version: 0, publishChecks: { ...defaultPublishChecks, finishedCheck: false, approvals: 1 } }
  expect((await replica.send('PATCH', ofProduction, change)).status).toBe(200)
  // Readers of the site, and the address of its bundle, follow the upload.
  app.services.background.start()
  const followed = sql`select from channels where name = 'latest' and current_release_id is not null`
  await vi.waitFor(async () => expect((await app.db.execute(followed)).rowCount).toBe(1), { timeout: 9_000 })
  await app.db.execute(sql`update channels set access = 'signed_in' where name = 'latest'`)
})

/** Signs in from a browser of its own. */
const signInAs = (person: StandInPerson) => {
  const post = (path: string, body: unknown) => app.post(path, body, { cookie: undefined })
  return signIn({ ...replica, ...app, send: replica.send, post }, provider, person)
}

const enter = async (person: StandInPerson): Promise<Owner> => {
  await app.db.execute('delete from sign_in_attempts')
  const cookie = readCookie(await signInAs(person))
  const session = Session.parse(await (await app.get('/api/session', { cookie })).json())
  const { userId, name } = session.person!
  return { person, userId, name, cookie }
}

const makeToken = async ({ cookie }: Owner, scope: 'read' | 'operate') => {
  const body = { name: 'CI', scope, expiresInDays: null }
  const response = await app.post('/api/tokens', body, { cookie })
  return bearerHeaders(CreatedApiToken.parse(await response.json()).token)
}

/** Works on every replica, or on none. */
const everywhere = async (ask: (at: Pick<TestApp, 'get' | 'post'>) => Promise<boolean>) => {
  const answers = await Promise.all([app, replica].map(ask))
  expect(new Set(answers).size).toBe(1)
  return answers[0]!
}

const isOpen = ({ status }: { status: number }) => status !== 401 && status !== 403

/** Begins an upload, and ends it when asked whether it works. */
let uploads = 0
const beginUpload = async (sender: Record<string, string | undefined>): Promise<Probe> => {
  uploads += 1
  const content = `[] upload ${uploads}`
  const given = { ...octets, 'x-docket': '1', origin: app.url, 'content-length': String(content.length), ...sender }
  const headers = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  const sending = request(app.url + uploadPath, { method: 'POST', headers })
  const status = new Promise<number>((resolve, reject) => {
    sending.on('error', reject).on('response', (response) => resolve(response.resume().statusCode!))
  })
  sending.write(content.slice(0, 3))
  // Its handler has begun to write the file.
  await expect.poll(() => countStaging()).toBeGreaterThan(0)
  return async () => {
    sending.end(content.slice(3))
    return (await status) === 201
  }
}
const countStaging = async () => (await readdir(join(folder, 'artifact-staging')).catch(() => [])).length

const readLink = async (response: Promise<Response>) => {
  const { url } = z.object({ url: z.string() }).parse(await (await response).json())
  const token = url.split('#')[1]!
  return async () => (await app.post('/api/links/read', { token }, { cookie: undefined })).status === 200
}

const redeem = async (url: string) => {
  const { host, pathname, search } = new URL(url)
  const { status, headers } = await app.send(host, pathname + search)
  return { host, works: status === 303, cookie: String(headers['set-cookie']).split(';', 1)[0]! }
}
const openHosted = async ({ cookie }: Owner) => {
  const body = { hostname: hosted, path: '/' }
  const { body: text } = await app.call('POST', '/api/hosted-sites/open', { cookie }, body)
  return z.object({ url: z.string() }).parse(JSON.parse(text)).url
}
let emails = 0
const newEmail = () => `guest${(emails += 1)}@example.org`

/**
 * Every kind of right that Docket derives from a person. `needs`: the role that the person must still have, or `session` for what ends with
 * the sessions of the person.
 */
const kinds: Record<string, { needs: Role | 'session'; give: (owner: Owner) => Promise<Probe> }> = {
  'a session': {
    needs: 'session',
    give:
      async ({ cookie }) =>
      () =>
        everywhere(async (at) => isOpen(await at.get('/api/status', { cookie }))),
  },
  'an API token that reads': {
    needs: 'viewer',
    give: async (owner) => {
      const bearer = await makeToken(owner, 'read')
      return () => everywhere(async (at) => isOpen(await at.get('/api/static-exports', bearer)))
    },
  },
  'an API token that operates': {
    needs: 'operator',
    give: async (owner) => {
      const bearer = await makeToken(owner, 'operate')
      const path = `/api/static-exports/${exportId}/check`
      return () => everywhere(async (at) => isOpen(await at.post(path, {}, bearer)))
    },
  },
  'an API token as the password of git': {
    needs: 'viewer',
    give: async (owner) => {
      const { authorization } = await makeToken(owner, 'read')
      const basic = `Basic ${Buffer.from(`git:${authorization.slice('Bearer '.length)}`).toString('base64')}`
      const headers = { authorization: basic, cookie: undefined }
      const path = '/git/docs.git/info/refs?service=git-upload-pack'
      return () => everywhere(async (at) => isOpen(await at.get(path, headers)))
    },
  },
  'an API token at the address of a bundle': {
    needs: 'viewer',
    give: async (owner) => {
      const bearer = await makeToken(owner, 'read')
      const path = `/sites/${label}/latest/bundle.tar.gz`
      return () => everywhere(async (at) => (await at.get(path, bearer)).status === 302)
    },
  },
  'an approval': {
    needs: 'operator',
    give: async ({ cookie, name }) => {
      await app.db.execute('delete from approvals')
      const asked = await app.post(`${ofProduction}/proposals`, { exportId, note: null })
      if (asked.status !== 200) throw new Error(await asked.text())
      const { proposalId } = Proposal.parse(await asked.json())
      await app.post(`${ofProduction}/proposals/${proposalId}/approval`, undefined, { cookie })
      return () =>
        everywhere(async (at) => {
          const publishChecks = PublishChecks.parse(
            await (await at.get(`${ofProduction}/publish-checks?export=${exportId}`)).json(),
          )
          const counts = publishChecks.proposal!.approvals.some(({ by }) => by === name)
          expect(publishChecks.passed).toBe(counts)
          return counts
        })
    },
  },
  'an invitation': {
    needs: 'admin',
    give: ({ cookie }) =>
      readLink(app.post('/api/users/invitations', { email: newEmail(), role: 'admin' }, { cookie })),
  },
  'a link to choose a password': {
    needs: 'admin',
    give: async ({ cookie }) => {
      const { id } = await withPassword(app.db, newEmail(), 'admin')
      return readLink(app.post(`/api/users/${id}/password-link`, undefined, { cookie }))
    },
  },
  'the ticket of a preview': {
    needs: 'session',
    give: async ({ cookie }) => {
      const { url } = await app.open('/', { cookie })
      return async () => (await redeem(url)).works
    },
  },
  'an open preview': {
    needs: 'session',
    give: async (owner) => {
      const { host, cookie } = await redeem((await app.open('/', owner)).url)
      return async () => (await app.send(host, '/', { headers: { cookie } })).status === 200
    },
  },
  'the ticket of a hosted site': {
    needs: 'session',
    give: async (owner) => {
      const url = await openHosted(owner)
      return async () => (await redeem(url)).works
    },
  },
  'a reader of a hosted site': {
    needs: 'session',
    give: async (owner) => {
      const { host, cookie } = await redeem(await openHosted(owner))
      return async () => (await app.send(host, '/', { headers: { ...page, cookie } })).status === 200
    },
  },
  'a session that is handed over to another name': {
    needs: 'session',
    give: async ({ person }) => {
      const { cookie } = await enter(person)
      const body = await (await app.post('/api/account/sessions/handover', undefined, { cookie })).json()
      return async () => (await app.post('/api/session', body, { cookie: undefined })).status === 204
    },
  },
  'an upload under way with a session': {
    needs: 'session',
    give: ({ cookie }) => beginUpload({ cookie }),
  },
  'an upload under way with an API token': {
    needs: 'operator',
    give: async (owner) => beginUpload({ ...(await makeToken(owner, 'operate')), origin: undefined }),
  },
}

/** What happens to a person, the role that they have then, and what gives it back. */
const ends: Record<
  string,
  { left: Role; end: (owner: Owner) => Promise<unknown>; undo?: (owner: Owner) => Promise<unknown> }
> = {
  'made a viewer': {
    left: 'viewer',
    end: ({ userId }) => replica.send('PATCH', `/api/users/${userId}`, { role: 'viewer' }),
    undo: ({ userId }) => replica.send('PATCH', `/api/users/${userId}`, { role: 'admin' }),
  },
  'left without a role': {
    left: 'none',
    end: ({ userId }) => replica.send('PATCH', `/api/users/${userId}`, { role: 'none' }),
    undo: ({ userId }) => replica.send('PATCH', `/api/users/${userId}`, { role: 'admin' }),
  },
  disabled: {
    left: 'none',
    end: ({ userId }) => replica.send('PATCH', `/api/users/${userId}`, { disabled: true }),
    undo: ({ userId }) => replica.send('PATCH', `/api/users/${userId}`, { disabled: false }),
  },
  'refused by the identity provider': {
    left: 'none',
    end: async ({ person }) => expect(readRefusal(await signInAs({ ...person, groups: ['others'] }))).toBe('no_access'),
    undo: ({ person }) => enter(person),
  },
  deleted: { left: 'none', end: ({ userId }) => app.delete(`/api/users/${userId}`) },
  'deleted by a replica of 1.0.0': {
    left: 'none',
    end: ({ userId }) =>
      app.db.transaction(async (tx) => {
        await tx.execute(sql`update one_time_links set used_at = now() where created_by_id = ${userId}`)
        await tx.execute(sql`delete from users where id = ${userId}`)
      }),
  },
}

const proven = new Set<string>()

test.for(Object.entries(ends))(
  'tokens, links, sessions and approvals of a person who is %s give no more rights than the person has',
  async ([, how]) => {
    const owner = await enter(somebody(['docket-admins']))
    const given: Record<string, Probe> = {}
    for (const [kind, { give }] of Object.entries(kinds)) {
      // What works once is given twice, and must have worked for the first owner.
      if (!proven.has(kind)) expect([kind, await (await give(owner))()]).toEqual([kind, true])
      proven.add(kind)
      given[kind] = await give(owner)
    }
    await how.end(owner)
    const { rows } = await app.db.execute(sql`select from sessions where user_id = ${owner.userId}`)
    expect(rows).toEqual([])
    const works: Record<string, boolean> = {}
    for (const [kind, uses] of Object.entries(given)) works[kind] = await uses()
    const may = ({ needs }: { needs: Role | 'session' }) => needs !== 'session' && includesRole(how.left, needs)
    expect(works).toEqual(Object.fromEntries(Object.entries(kinds).map(([kind, held]) => [kind, may(held)])))
    if (how.undo === undefined) return
    await how.undo(owner)
    for (const kind of ['an API token that reads', 'an API token that operates', 'an approval'])
      expect([kind, await given[kind]!()]).toEqual([kind, true])
  },
)
