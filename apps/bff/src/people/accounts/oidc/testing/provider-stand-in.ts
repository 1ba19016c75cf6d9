import { createHash, createSign, generateKeyPairSync, randomUUID, type KeyObject } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Claims about the person who signs in. Undefined omits a claim. */
export type StandInPerson = {
  sub: string
  email?: string | undefined
  email_verified?: unknown
  name?: string | undefined
  groups?: unknown
  [claim: string]: unknown
}

/** Misbehaviour of the provider. The first four apply to every address, or only to `misbehavesAt`. */
export type Misbehaviour =
  | 'silent'
  | 'endless'
  | 'redirecting'
  | 'not JSON'
  | 'no id token'
  | 'another issuer in its document'
  | 'another issuer in its answer'
  | 'no issuer in its answer'
  | 'another person at userinfo'

/** The provider's key pair, and a foreign one. */
export const keys = {
  own: generateKeyPairSync('rsa', { modulusLength: 2048 }),
  other: generateKeyPairSync('rsa', { modulusLength: 2048 }),
}

const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A JSON Web Token in its compact form with any header; `sign` signs its first two parts. */
export const compactToken = (head: object, claims: object, sign: (text: string) => Buffer | string): string => {
  const text = `${base64(head)}.${base64(claims)}`
  return `${text}.${Buffer.from(sign(text)).toString('base64url')}`
}

/** A token signed like the provider's, or with another header or key. */
export const signedToken = (claims: object, head: object = {}, key: KeyObject = keys.own.privateKey): string =>
  compactToken({ alg: 'RS256', kid: 'one', ...head }, claims, (text) => createSign('RSA-SHA256').update(text).sign(key))

const readBody = async (request: IncomingMessage): Promise<URLSearchParams> => {
  let text = ''
  for await (const part of request.setEncoding('utf8')) text += part as string
  return new URLSearchParams(text)
}

/** A running stand-in. */
export type ProviderStandIn = Awaited<ReturnType<typeof startProviderStandIn>>

/**
 * A provider that signs in `person` without asking and misbehaves on request, which a real provider cannot be made to do. Codes work once,
 * and only with the PKCE verifier of their challenge, the redirect URI and the client's secret. `issuer` is what it calls itself, if it
 * isn't the address it listens at. Call `close` at the end.
 */
export const startProviderStandIn = async (issuer?: string) => {
  const state = {
    person: { sub: 'ada', email: 'ada@example.com', email_verified: true, name: 'Ada' } as StandInPerson,
    misbehaves: null as Misbehaviour | null,
    misbehavesAt: null as string | null,
    /** Replaces the ID token with one made from the correct claims. */
    forge: null as ((claims: Record<string, unknown>) => string) | null,
    /** Puts only the subject into the ID token, and the other claims at the userinfo endpoint. */
    sparse: false,
    /** Publishes an address to sign out at. */
    signsOut: true,
    /** Gives refresh tokens, each of which works once: `canary-refresh-…`. */
    refreshes: false,
    /** Error of the token endpoint when it gets a refresh token. */
    refreshError: null as string | null,
    /** Called when a refresh token has been used up, before the answer. */
    onRefresh: null as (() => unknown) | null,
    requests: [] as string[],
  }
  const codes = new Map<string, { challenge: string; nonce: string; redirectUri: string; person: StandInPerson }>()
  const refreshTokens = new Set<string>()
  let origin = ''
  const waiting: ServerResponse[] = []

  const idToken = (nonce: string | undefined, person: StandInPerson) => {
    const iat = Math.floor(Date.now() / 1000)
    const claims = { iss: origin, aud: 'docket', sub: person.sub, nonce, iat, exp: iat + 300 }
    return (state.forge ?? signedToken)(state.sparse ? claims : { ...claims, ...person })
  }
  const giveRefreshToken = () => {
    if (!state.refreshes) return {}
    const refreshToken = `canary-refresh-${randomUUID()}`
    refreshTokens.add(refreshToken)
    return { refresh_token: refreshToken }
  }
  const json = (response: ServerResponse, value: unknown, status = 200) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))

  const routes: Record<string, (url: URL, request: IncomingMessage, response: ServerResponse) => unknown> = {
    '/.well-known/openid-configuration': (_, __, response) =>
      json(response, {
        issuer: state.misbehaves === 'another issuer in its document' ? 'https://elsewhere.example' : origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        userinfo_endpoint: `${origin}/userinfo`,
        jwks_uri: `${origin}/jwks`,
        ...(state.signsOut && { end_session_endpoint: `${origin}/logout` }),
        backchannel_logout_supported: true,
        scopes_supported: ['openid', 'profile', 'email', 'groups', 'offline_access'],
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
        authorization_response_iss_parameter_supported: true,
        code_challenge_methods_supported: ['S256'],
      }),
    '/jwks': (_, __, response) =>
      json(response, {
        keys: [{ ...keys.own.publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' }],
      }),
    '/authorize': ({ searchParams: query }, _, response) => {
      if (query.get('code_challenge_method') !== 'S256') return json(response, { error: 'invalid_request' }, 400)
      const back = new URL(query.get('redirect_uri') ?? '')
      const code = randomUUID()
      codes.set(code, {
        challenge: query.get('code_challenge') ?? '',
        nonce: query.get('nonce') ?? '',
        redirectUri: back.href,
        person: state.person,
      })
      back.searchParams.set('code', code)
      back.searchParams.set('state', query.get('state') ?? '')
      const iss = state.misbehaves === 'another issuer in its answer' ? 'https://elsewhere.example' : origin
      if (state.misbehaves !== 'no issuer in its answer') back.searchParams.set('iss', iss)
      return response.writeHead(303, { location: back.href }).end()
    },
    '/token': async (_, request, response) => {
      const body = await readBody(request)
      const code = codes.get(body.get('code') ?? '')
      codes.delete(body.get('code') ?? '')
      const challenge = createHash('sha256')
        .update(body.get('code_verifier') ?? '')
        .digest('base64url')
      const client = request.headers.authorization === `Basic ${Buffer.from('docket:s3cret').toString('base64')}`
      if (!client) return json(response, { error: 'invalid_client' }, 401)
      if (body.get('grant_type') === 'refresh_token') {
        if (state.refreshError !== null) return json(response, { error: state.refreshError }, 400)
        if (!refreshTokens.delete(body.get('refresh_token') ?? ''))
          return json(response, { error: 'invalid_grant' }, 400)
        await state.onRefresh?.()
        return json(response, {
          access_token: `canary-access-${state.person.sub}`,
          token_type: 'Bearer',
          expires_in: 300,
          ...(state.misbehaves === 'no id token' ? {} : { id_token: idToken(undefined, state.person) }),
          ...giveRefreshToken(),
        })
      }
      if (code === undefined || code.challenge !== challenge || body.get('redirect_uri') !== code.redirectUri)
        return json(response, { error: 'invalid_grant' }, 400)
      return json(response, {
        access_token: `canary-access-${code.person.sub}`,
        token_type: 'Bearer',
        expires_in: 300,
        ...(state.misbehaves === 'no id token' ? {} : { id_token: idToken(code.nonce, code.person) }),
        ...giveRefreshToken(),
      })
    },
    '/userinfo': (_, request, response) => {
      const sub = state.misbehaves === 'another person at userinfo' ? 'eve' : state.person.sub
      const known = request.headers.authorization === `Bearer canary-access-${state.person.sub}`
      return known ? json(response, { ...state.person, sub }) : json(response, { error: 'invalid_token' }, 401)
    },
  }
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', origin)
    state.requests.push(url.pathname)
    const how = url.pathname === (state.misbehavesAt ?? url.pathname) ? state.misbehaves : null
    if (how === 'silent') return void waiting.push(response)
    if (how === 'redirecting') return void response.writeHead(307, { location: `${origin}/elsewhere` }).end()
    if (how === 'not JSON') return void response.end('<h1>Hello</h1>')
    if (how === 'endless') {
      response.writeHead(200, { 'content-type': 'application/json' })
      return void response.end(`{"issuer":"${'a'.repeat(3_000_000)}`)
    }
    const route = routes[url.pathname]
    if (route === undefined) return void response.writeHead(404).end()
    void Promise.resolve(route(url, request, response)).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  origin = issuer ?? `http://127.0.0.1:${port}`
  return {
    state,
    port,
    issuer: new URL(origin),
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
