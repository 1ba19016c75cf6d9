import { allowAllButMetadata, isLoopbackHost } from '@docket/outbound/addresses'
import { explainConnection } from '@docket/outbound/explain-connection'
import { fetchOnce, createOutboundAgent } from '@docket/outbound/outbound'
import type { OidcRefusal } from '@docket/api-types/accounts'
import type { JWTVerifyGetKey } from 'jose'
import type { Configuration, CustomFetch, TokenEndpointResponse, TokenEndpointResponseHelpers } from 'openid-client'
import { z } from 'zod'
import type { OidcSettings } from '#ground/config/oidc.ts'
import { HoldableText } from '#ground/db/pages.ts'
import { type ReadGroups, readGroups } from './groups.ts'

const maxBytes = 1_048_576

const agent = createOutboundAgent({ allows: allowAllButMetadata, connectMs: 10_000 })

/** `signal` brings the timeout. */
const providerFetch: CustomFetch = async (url, { body, method, headers, signal }) => {
  const sent = { method, headers, signal: signal ?? null, body: body ?? null }
  const answer = await fetchOnce(agent, url, { ...sent, maxBytes })
  if (answer === null) throw new Error('The provider sent more than 1 MiB.')
  const { status } = answer
  const empty = status === 204 || status === 205 || status === 304
  return new Response(empty ? null : answer.body, { status, headers: [...answer.headers] })
}

/** A refused single sign-on. The sign-in page shows the message for `word`; the message is only logged. */
export class OidcRefused extends Error {
  override readonly name = 'OidcRefused'
  readonly word: OidcRefusal
  /** What the provider says, for the person; empty when it says nothing. */
  readonly said: string

  constructor(word: OidcRefusal, because: string, said = '') {
    super(because)
    this.word = word
    this.said = said
  }
}

/** A person as the provider describes them. */
export type Claims = {
  subject: string
  /** Stored in lower case. */
  email: string | null
  emailVerified: boolean
  name: string | null
  /** Of the session at the provider. */
  sid: string | null
} & ReadGroups

/** `refreshToken` is null when the provider gave none. Never log it. */
export type SignedIn = { claims: Claims; refreshToken: string | null }

/** Whose sessions a logout token ends; at least one of `subject` and `sid` is set. */
export type Logout = { id: string; subject: string | null; sid: string | null }

/** Values of one sign-in that the callback needs. */
export type Authorization = { state: string; nonce: string; verifier: string; redirectUri: string }

/** Maximum age of the provider's metadata. Milliseconds. */
const freshMs = 15 * 60_000

const storable = HoldableText.min(1)
const text = storable.nullish().catch(null)
const claimsSchema = z.object({
  sub: storable.max(255),
  email: z.email().toLowerCase().max(254).nullish().catch(null),
  email_verified: z.unknown().optional(),
  name: text,
  preferred_username: text,
  sid: text,
})
const logoutSchema = z
  .object({
    jti: z.string().min(1),
    sub: storable.nullish(),
    sid: storable.nullish(),
    nonce: z.undefined().optional(),
    events: z.object({ 'http://schemas.openid.net/event/backchannel-logout': z.looseObject({}) }),
  })
  .refine(({ sub, sid }) => typeof sub === 'string' || typeof sid === 'string')
/** Maximum age of a logout token. Seconds. */
export const maxLogoutAge = 300
const word = z.string().catch('')
const errorSchema = z
  .object({ code: word, error: word, error_description: word, cause: z.unknown() })
  .catch({ code: '', error: '', error_description: '', cause: null })
const clockSchema = z.object({
  cause: z.object({ now: z.number(), claims: z.object({ iat: z.number() }) }),
})

/** Returns the code of an error for the log. Codes carry no token and no claim; causes do. */
const readCode = (error: unknown): string => {
  const { code, error: name } = errorSchema.parse(error)
  return [code, name].filter((part) => part !== '').join(' ') || 'unknown'
}

/** The provider's own words about an error, on one line and shortened; empty without any. */
const readMessage = (error: unknown): string => {
  const { error: name, error_description: description } = errorSchema.parse(error)
  const text = [name, description].filter((part) => part !== '').join(': ')
  return text
    .toWellFormed()
    .replaceAll(/[\s\p{C}]+/gu, ' ')
    .trim()
    .slice(0, 300)
}

/** True for errors of the transport, false for refusals of the provider. */
const isUnavailable = (error: unknown): boolean =>
  (error instanceof TypeError && readCode(error) === 'unknown') ||
  /^(OAUTH_(TIMEOUT|ABORT|RESPONSE_IS_NOT_CONFORM|RESPONSE_IS_NOT_JSON|PARSE_ERROR)|ERR_(JWKS_TIMEOUT|JOSE_GENERIC))$/.test(
    readCode(error),
  ) ||
  (error instanceof Error && error.message === 'something went wrong')

// Of Docket or the provider rather than of the person: they must not end sessions.
const isTemporary = (error: unknown): boolean =>
  /\b(?:invalid_client|unauthorized_client|unsupported_grant_type|server_error|temporarily_unavailable)\b|CHALLENGE/.test(
    readCode(error),
  )

const explainClock = (error: unknown): string => {
  const { data } = clockSchema.safeParse(errorSchema.parse(error).cause)
  const age = data === undefined ? '' : `: it was issued ${Math.round(data.cause.now - data.cause.claims.iat)} s ago`
  return `By the clock of this machine, the ID token is not valid now${age}. Set the clocks of the provider and of this machine`
}

const toOidcRefused = (error: unknown, what: string): OidcRefused => {
  if (error instanceof OidcRefused) return error
  const code = readCode(error)
  if (code === 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED')
    return new OidcRefused('clock', `${what}: ${code}. ${explainClock(error)}`)
  if (isUnavailable(error)) {
    const why = [explainConnection(error), code].filter((part) => part !== null && part !== 'unknown')
    return new OidcRefused('provider_unavailable', `${what}: ${why.join(' ') || code}`)
  }
  const words = readMessage(error)
  const because = `${what}: ${code}${words && `. The provider says: ${words}`}`
  // Refusals of Docket itself, at the token endpoint, are for the operator only.
  return new OidcRefused(
    'provider_refused',
    because,
    code.startsWith('OAUTH_AUTHORIZATION_RESPONSE_ERROR') ? words : '',
  )
}

/** Client of the provider: OpenID Connect Core 1.0 with PKCE (S256), state and nonce. Its methods throw `OidcRefused`. */
export const createOidcProvider = (settings: OidcSettings, now: () => number) => {
  const { issuer, clientId, clientSecret, scopes, timeoutMs = 10_000 } = settings
  let keys: { at: string; set: JWTVerifyGetKey } | undefined
  let known: { config: Promise<Configuration>; until: number } | undefined

  const discover = async (): Promise<Configuration> => {
    const client = await import('openid-client')
    const secret = clientSecret()
    const [basic, post] = [client.ClientSecretBasic(secret), client.ClientSecretPost(secret)]
    const config = await client.discovery(
      issuer,
      clientId,
      { [client.clockTolerance]: 30 },
      (as, ...rest) =>
        (as.token_endpoint_auth_methods_supported?.includes('client_secret_basic') === false ? post : basic)(
          as,
          ...rest,
        ),
      {
        timeout: timeoutMs / 1000,
        [client.customFetch]: providerFetch,
        // Without these checks, the client trusts any ID token that arrives over TLS, whatever its signature.
        execute: [
          client.enableNonRepudiationChecks,
          ...(issuer.protocol === 'http:' && isLoopbackHost(issuer.hostname) ? [client.allowInsecureRequests] : []),
        ],
      },
    )
    // An issuer for all tenants of a cloud would let strangers choose their own groups.
    if (new URL(config.serverMetadata().issuer).href !== issuer.href)
      throw new OidcRefused('provider_refused', 'The provider calls itself by another address than OIDC_ISSUER.')
    return config
  }
  const configuration = async (): Promise<Configuration> => {
    if (known === undefined || now() >= known.until) known = { config: discover(), until: now() + freshMs }
    const current = known
    try {
      return await current.config
    } catch (error) {
      if (known === current) known = undefined
      throw toOidcRefused(error, 'Reading what the provider publishes')
    }
  }

  /** Reads the claims of tokens that the client has verified. `subject` is whom they have to be about. */
  const readClaims = async (
    config: Configuration,
    tokens: TokenEndpointResponse & TokenEndpointResponseHelpers,
    subject: string | undefined,
  ): Promise<Claims> => {
    const inToken: Record<string, unknown> = { ...tokens.claims() }
    const sub = z.string().parse(subject ?? inToken.sub)
    if (sub !== (inToken.sub ?? sub)) throw new OidcRefused('provider_refused', 'The ID token is about somebody else')
    // Many providers put only the subject into the ID token, and the other claims at the userinfo endpoint.
    const asksMore =
      (!readGroups([inToken], settings).isRead || inToken.email === undefined) &&
      config.serverMetadata().userinfo_endpoint !== undefined
    const client = await import('openid-client')
    const more = asksMore ? await client.fetchUserInfo(config, tokens.access_token, sub) : null
    const found = claimsSchema.parse({ ...more, ...inToken })
    return {
      subject: found.sub,
      email: found.email ?? null,
      emailVerified: found.email_verified === true,
      name: found.name ?? found.preferred_username ?? null,
      sid: found.sid ?? null,
      ...readGroups(more === null ? [inToken] : [inToken, more], settings),
    }
  }

  return {
    name: settings.name,
    metadata: async () => (await configuration()).serverMetadata(),
    authorizationUrl: async ({ state, nonce, verifier, redirectUri }: Authorization): Promise<string> => {
      const config = await configuration()
      const client = await import('openid-client')
      return client.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: scopes.join(' '),
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state,
        nonce,
      }).href
    },
    /** Where the provider signs the person out, too, and returns to `back`. Null when it offers that nowhere, or doesn't answer. */
    signOutUrl: async (back: string, sid: string): Promise<string | null> => {
      const config = await configuration().catch(() => null)
      if (config?.serverMetadata().end_session_endpoint === undefined) return null
      const client = await import('openid-client')
      const hint = sid === '' ? {} : { logout_hint: sid }
      return client.buildEndSessionUrl(config, { post_logout_redirect_uri: back, ...hint }).href
    },
    /** Verifies a logout token (OpenID Connect Back-Channel Logout 1.0, section 2.6). The caller refuses a second use of its `id`. */
    readLogoutToken: async (token: string): Promise<Logout> => {
      const { issuer: iss, jwks_uri: at = '', ...metadata } = (await configuration()).serverMetadata()
      const jose = await import('jose')
      if (keys?.at !== at)
        keys = {
          at,
          set: jose.createRemoteJWKSet(new URL(at), {
            timeoutDuration: timeoutMs,
            [jose.customFetch]: (url, { headers, ...sent }) =>
              providerFetch(url, { ...sent, headers: Object.fromEntries(headers), body: null }),
          }),
        }
      const signed = metadata.id_token_signing_alg_values_supported ?? ['RS256']
      const { payload, protectedHeader } = await jose
        .jwtVerify(token, keys.set, {
          issuer: iss,
          audience: clientId,
          algorithms: signed.filter((alg) => /^(?:[RPE]S\d{3}|Ed.+)$/.test(alg)),
          clockTolerance: 30,
          maxTokenAge: maxLogoutAge,
        })
        .catch((error: unknown) => {
          throw toOidcRefused(error, 'Reading a logout token')
        })
      const { success, data } = logoutSchema.safeParse(payload)
      // Not every provider names the type. The events and the missing nonce tell a logout token from an ID token.
      if (!success || !/^(?:logout\+)?jwt$/i.test(protectedHeader.typ ?? 'JWT'))
        throw new OidcRefused('provider_refused', 'This is not a logout token')
      return { id: data.jti, subject: data.sub ?? null, sid: data.sid ?? null }
    },
    /** Trades the code in `query` for the verified claims of the person. */
    claims: async (query: string, { state, nonce, verifier, redirectUri }: Authorization): Promise<SignedIn> => {
      const config = await configuration()
      const client = await import('openid-client')
      try {
        const tokens = await client.authorizationCodeGrant(config, new URL(`${redirectUri}${query}`), {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        })
        return { claims: await readClaims(config, tokens, undefined), refreshToken: tokens.refresh_token ?? null }
      } catch (error) {
        if (readCode(error).includes('access_denied')) throw new OidcRefused('cancelled', 'Cancelled at the provider')
        throw toOidcRefused(error, 'Signing in with the provider')
      }
    },
    /** Reads the claims of the person again. Calls `keep` at once with a new refresh token, because the old one may have ended. */
    claimsAgain: async (
      { subject, refreshToken }: { subject: string; refreshToken: string },
      keep: (refreshToken: string) => Promise<unknown>,
    ): Promise<Claims> => {
      const unavailable = (error: unknown) =>
        new OidcRefused('provider_unavailable', toOidcRefused(error, 'Asking again').message)
      const config = await configuration().catch((error: unknown) => {
        throw unavailable(error)
      })
      const client = await import('openid-client')
      const tokens = await client.refreshTokenGrant(config, refreshToken).catch((error: unknown) => {
        throw isTemporary(error) ? unavailable(error) : toOidcRefused(error, 'Asking again')
      })
      if (tokens.refresh_token !== undefined) await keep(tokens.refresh_token)
      return readClaims(config, tokens, subject).catch((error: unknown) => {
        throw toOidcRefused(error, 'Reading the claims again')
      })
    },
  }
}

export type OidcProvider = ReturnType<typeof createOidcProvider>
