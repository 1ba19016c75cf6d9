import { type IncomingHttpHeaders, request } from 'node:http'
import { otherRoutes, routes } from '@docket/api-types/routes'
import type { Route } from '@docket/api-types/route'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeToken } from '#testing/tokens.ts'
import { sampleRequest } from './testing/sample-requests.ts'
import { twoOfEverything } from './testing/two-of-everything.ts'

let stand: Awaited<ReturnType<typeof twoOfEverything>>
beforeAll(async () => {
  stand = await twoOfEverything(Date.now)
}, 60_000)
afterAll(() => stand.close())

const all: Record<string, Route> = { ...routes, ...otherRoutes }
const files = Object.keys(all).filter((route) => all[route]!.page !== undefined)
const ofPeople = files.filter((route) => all[route]!.access.role !== 'anyone')

const follow = (site: string) => ({
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
  'sec-fetch-site': site,
})
const nobody = { cookie: undefined }

const sample = (route: string) => sampleRequest(route.replaceAll(/\{(\w+)\}/g, ':$1'), stand.worlds.own.ids)
type Answer = { status: number; headers: IncomingHttpHeaders }
/** Node's `fetch` sets `Sec-Fetch-Mode` itself. */
const ask = (route: string, more: Record<string, string | undefined>): Promise<Answer> => {
  const present = Object.entries({ cookie: stand.app.cookie, ...more }).filter(([, value]) => value !== undefined)
  const options = { headers: Object.fromEntries(present), agent: false }
  return new Promise((resolve, reject) => {
    const sending = request(stand.app.url + sample(route).path, options, (response) => {
      const { statusCode: status = 0, headers } = response
      response
        .resume()
        .on('end', () => resolve({ status, headers }))
        .on('error', reject)
    })
    sending.on('error', reject).end()
  })
}
const expectPage = (route: string, response: Answer) => {
  const { path } = sample(route)
  const [, query = ''] = path.split('?')
  const page = all[route]!.page!.replace('{exportId}', stand.worlds.own.ids['exportId']!)
  expect([route, response.status, response.headers.location]).toEqual([
    route,
    303,
    page + (query === '' ? '' : `?${query}`),
  ])
  expect(response.headers['content-type']).toBeUndefined()
  expect(response.headers['cache-control']).toBe('no-store')
}

test('every route that answers a file names the page where people download it', () => {
  expect(Object.keys(all).filter((route) => all[route]!.files !== undefined && !files.includes(route))).toEqual([])
  expect(ofPeople.length).toBeGreaterThan(9)
})

test('a link to a file on another site leads to its page, with a session and without, and starts no download', async () => {
  for (const route of ofPeople)
    for (const site of ['cross-site', 'same-site'])
      for (const headers of [{}, nobody]) expectPage(route, await ask(route, { ...follow(site), ...headers }))
})

test('a person without a session who opens the address of a file gets to its page, and no JSON', async () => {
  for (const route of ofPeople) expectPage(route, await ask(route, { ...follow('none'), ...nobody }))
})

test('an address that a signed-in person opens answers the file, or leads to the page if it fails', async () => {
  let delivered = 0
  for (const route of ofPeople) {
    const response = await ask(route, follow('none'))
    if (response.status === 200) delivered += 1
    else expectPage(route, response)
  }
  expect(delivered).toBeGreaterThan(4)
})

test('Docket’s own pages and programs get the same answer as ever', async () => {
  const { bearer } = await makeToken(stand.app, { scope: 'read' })
  for (const route of ofPeople) {
    const plain = await ask(route, {})
    expect([route, (await ask(route, follow('same-origin'))).status]).toEqual([route, plain.status])
    const withToken = await ask(route, bearer)
    expect([route, (await ask(route, { ...bearer, ...follow('cross-site') })).status]).toEqual([
      route,
      withToken.status,
    ])
    expect([route, (await ask(route, nobody)).status]).toEqual([route, 401])
    expect([route, (await ask(route, { ...nobody, ...follow('same-origin') })).status]).toEqual([route, 401])
  }
})

test('a browser that resumes a download never gets a page instead of the rest', async () => {
  const response = await ask('GET /api/static-exports/{exportId}/download', {
    ...follow('none'),
    ...nobody,
    range: 'bytes=10-',
  })
  expect(response.status).toBe(401)
})

test('the address of a channel’s bundle leads to the sites if it is refused', async () => {
  const open = files.filter((route) => !ofPeople.includes(route))
  expect(open.length).toBe(4)
  for (const route of open) {
    const refused = await ask(route, { ...follow('cross-site'), ...nobody })
    expect([route, refused.status, refused.headers.location]).toEqual([route, 303, '/'])
    expect([route, (await ask(route, nobody)).status]).toEqual([route, 401])
  }
})
