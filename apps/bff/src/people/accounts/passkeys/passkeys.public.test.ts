import { request } from 'node:http'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { signedIn } from '#testing/people.ts'
import { testApp } from '#testing/test-app.ts'
import { softwareAuthenticator } from './testing/authenticator.ts'

const publicUrl = new URL('https://docket.example.com')
const app = await testApp({ as: 'nobody', publicUrl })
afterAll(() => app.close())

/** As the proxy in front passes it on. */
const send = (path: string, body: unknown, cookie = '', host = publicUrl.host) =>
  new Promise<{ status: number; cookies: string[]; json: unknown }>((resolve, reject) => {
    const text = JSON.stringify(body)
    const headers = {
      host,
      origin: publicUrl.origin,
      cookie,
      'x-docket': '1',
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
    }
    request({ port: app.port, host: '127.0.0.1', method: 'POST', path, headers }, (answer) => {
      let read = ''
      answer.setEncoding('utf8').on('data', (part: string) => (read += part))
      answer.on('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          cookies: answer.headers['set-cookie'] ?? [],
          json: read === '' ? null : (JSON.parse(read) as unknown),
        }),
      )
    })
      .on('error', reject)
      .end(text)
  })
const Challenge = z.object({ challenge: z.string() })
const formatCookies = (cookies: readonly string[]) => cookies.map((one) => one.split(';', 1)[0]!).join('; ')

test('with PUBLIC_URL, passkeys are bound to its host name and their cookies are sent over https only', async () => {
  const { cookie } = await signedIn(app.db, 'viewer', { publicUrl })
  const device = softwareAuthenticator()
  const at = { rpId: 'docket.example.com', origin: publicUrl.origin }

  const setup = await send('/api/account/passkeys/options', {}, cookie)
  expect(setup.json).toMatchObject({ rp: { id: 'docket.example.com' } })
  for (const one of setup.cookies)
    expect(one).toMatch(/^__Host-docket\.passkey=[^;]+; Max-Age=300; Path=\/; HttpOnly; Secure; SameSite=Strict$/)
  const { challenge } = Challenge.parse(setup.json)
  const added = await send(
    '/api/account/passkeys',
    { response: device.create({ challenge, ...at }) },
    `${cookie}; ${formatCookies(setup.cookies)}`,
  )
  expect(added.status).toBe(204)

  device.state.counter += 1
  const signInOptions = await send('/api/auth/passkey/options', {})
  const answer = device.get({ ...Challenge.parse(signInOptions.json), ...at })
  const signedInWith = await send('/api/auth/passkey/sign-in', answer, formatCookies(signInOptions.cookies))
  expect(signedInWith.status).toBe(204)
  expect(signedInWith.cookies.join('\n')).toMatch(
    /^__Host-docket=[^;]+; Max-Age=\d+; Path=\/; HttpOnly; Secure; SameSite=Strict$/m,
  )
})

test('passkeys are refused under another host name of Docket, and the error names the right one', async () => {
  const there = await send('/api/auth/passkey/options', {}, '', `localhost:${app.port}`)
  expect(there.status).toBe(409)
  expect(there.json).toMatchObject({ message: expect.stringContaining('https://docket.example.com') as string })
})
