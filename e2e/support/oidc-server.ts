import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider, type Context } from 'oidc-provider'

/** People of the provider, by the name on their button. Their addresses are verified unless `unverified` says otherwise. */
export type Directory = Readonly<Record<string, { groups: readonly string[]; unverified?: true }>>

const page = (names: readonly string[], uid: string) => `<!doctype html>
<html lang="en"><head><title>Example Company</title><link rel="icon" href="data:,"></head><body><main>
<h1>Who are you?</h1><form method="post" action="/interaction/${uid}">
${[...names, 'Nobody'].map((name) => `<button name="login" value="${name}">${name}</button>`).join('\n')}
</form></main></body></html>`

const readLogin = async (request: IncomingMessage): Promise<string> => {
  let body = ''
  for await (const part of request.setEncoding('utf8')) body += part as string
  return new URLSearchParams(body).get('login') ?? ''
}

/** Sign-in implies consent. */
const loadExistingGrant = async ({ oidc }: Context) => {
  const { provider, client, session } = oidc
  const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId })
  grant.addOIDCScope('openid profile email groups')
  await grant.save()
  return grant
}

const openProvider = (issuer: string, redirectUri: string, secret: string, people: Directory) =>
  new Provider(issuer, {
    clients: [{ client_id: 'docket', client_secret: secret, redirect_uris: [redirectUri] }],
    pkce: { required: () => true },
    scopes: ['openid', 'profile', 'email', 'groups'],
    claims: { openid: ['sub'], profile: ['name'], email: ['email', 'email_verified'], groups: ['groups'] },
    cookies: { keys: [randomBytes(32).toString('hex')] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    loadExistingGrant,
    findAccount: (_: unknown, name: string) => ({
      accountId: name,
      claims: () => ({
        sub: `subject-of-${name}`,
        name,
        email: `${name.toLowerCase()}@example.com`,
        email_verified: people[name]?.unverified !== true,
        groups: people[name]?.groups ?? [],
      }),
    }),
  })

/**
 * A real OpenID Connect provider with a page to sign in on, at `issuer`. It requires PKCE, and gives groups with the
 * scope `groups`, from its userinfo endpoint. `serve` names the one address it sends people back to. Call `close` at
 * the end.
 */
export const startOidcServer = async (people: Directory) => {
  const clientSecret = randomBytes(24).toString('base64url')
  let provider: Provider | undefined
  let answer: ((request: IncomingMessage, response: ServerResponse) => Promise<void>) | undefined

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const uid = /^\/interaction\/([\w-]+)$/.exec(request.url ?? '')?.[1]
    if (provider === undefined || answer === undefined) return response.writeHead(503).end()
    if (uid === undefined) return answer(request, response)
    if (request.method !== 'POST')
      return response.writeHead(200, { 'content-type': 'text/html' }).end(page(Object.keys(people), uid))
    const accountId = await readLogin(request)
    const result = accountId === 'Nobody' ? { error: 'access_denied' } : { login: { accountId } }
    return provider.interactionFinished(request, response, result)
  }
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    issuer,
    clientId: 'docket',
    clientSecret,
    serve: (redirectUri: string) => {
      provider = openProvider(issuer, redirectUri, clientSecret, people)
      answer = provider.callback()
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
