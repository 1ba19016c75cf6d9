import { allowAllButMetadata, isLoopbackHost } from '@docket/outbound/addresses'
import { explainConnection } from '@docket/outbound/explain-connection'
import { fetchOnce, createOutboundAgent } from '@docket/outbound/outbound'
import type { OidcRefusal } from '@docket/api-types/accounts'
import type { Configuration, CustomFetch } from 'openid-client'
import { z } from 'zod'
import type { OidcSettings } from '#ground/config/oidc.ts'

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

/** A refused single sign-on. The sign-in page shows the message for `word`; `cause` is only logged. */
export class OidcRefused extends Error {
  override readonly name = 'OidcRefused'
  readonly word: OidcRefusal

  constructor(word: OidcRefusal, because: string, options: { cause?: unknown } = {}) {
    super(because, options)
    this.word = word
  }
}

/** A person as the provider describes them. */
export type Claims = {
  subject: string
  /** Stored in lower case. */
  email: string | null
  emailVerified: boolean
  name: string | null
  groups: readonly string[]
}

/** Values of one sign-in that the callback needs. */
export type Authorization = { state: string; nonce: string; verifier: string; redirectUri: string }

/** Maximum age of the provider's metadata. Milliseconds. */
const freshMs = 15 * 60_000

const text = z.string().min(1).nullish().catch(null)
const claimsSchema = z.object({
  sub: z.string().min(1).max(255),
  email: z.email().toLowerCase().max(254).nullish().catch(null),
  email_verified: z.unknown().optional(),
  name: text,
  preferred_username: text,
})
const groupsSchema = z
  .union([z.array(z.string()), z.string().transform((one) => [one])])
  .catch([])
  // The database cannot store other characters.
  .transform((groups) => groups.filter((group) => group.isWellFormed() && !group.includes('\0')))

/** Returns the code of an error for the log. Codes carry no token and no claim; causes do. */
const readCode = (error: unknown): string => {
  const { code, error: word } = z
    .object({ code: z.string().catch(''), error: z.string().catch('') })
    .catch({ code: '', error: '' })
    .parse(error)
  return [code, word].filter((part) => part !== '').join(' ') || 'unknown'
}

/** True for errors of the transport, false for refusals of the provider. */
const isUnavailable = (error: unknown): boolean =>
  (error instanceof TypeError && readCode(error) === 'unknown') ||
  /^OAUTH_(TIMEOUT|ABORT|RESPONSE_IS_NOT_CONFORM|RESPONSE_IS_NOT_JSON|PARSE_ERROR)$/.test(readCode(error)) ||
  (error instanceof Error && error.message === 'something went wrong')

const toOidcRefused = (error: unknown, what: string): OidcRefused => {
  if (error instanceof OidcRefused) return error
  const [why, code] = [isUnavailable(error) ? explainConnection(error) : null, readCode(error)]
  const word = isUnavailable(error) ? 'provider_unavailable' : 'provider_refused'
  return new OidcRefused(
    word,
    `${what}: ${[why, code].filter((part) => part !== null && part !== 'unknown').join(' ') || code}`,
  )
}

/** Client of the provider: OpenID Connect Core 1.0 with PKCE (S256), state and nonce. Both methods throw `OidcRefused`. */
export const createOidcProvider = (settings: OidcSettings, now: () => number) => {
  const { issuer, clientId, clientSecret, scopes, groupsClaim, timeoutMs = 10_000 } = settings
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

  return {
    name: settings.name,
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
    /** Trades the code in `query` for the verified claims of the person. */
    claims: async (query: string, { state, nonce, verifier, redirectUri }: Authorization): Promise<Claims> => {
      const config = await configuration()
      const client = await import('openid-client')
      try {
        const tokens = await client.authorizationCodeGrant(config, new URL(`${redirectUri}${query}`), {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        })
        const inToken: Record<string, unknown> = { ...tokens.claims() }
        // Many providers put only the subject into the ID token, and the other claims at the userinfo endpoint.
        const asksMore =
          (inToken[groupsClaim] === undefined || inToken.email === undefined) &&
          config.serverMetadata().userinfo_endpoint !== undefined
        const more = asksMore
          ? await client.fetchUserInfo(config, tokens.access_token, z.string().parse(inToken.sub))
          : {}
        const all: Record<string, unknown> = { ...more, ...inToken }
        const found = claimsSchema.parse(all)
        return {
          subject: found.sub,
          email: found.email ?? null,
          emailVerified: found.email_verified === true,
          name: found.name ?? found.preferred_username ?? null,
          groups: groupsSchema.parse(all[groupsClaim]),
        }
      } catch (error) {
        if (readCode(error).includes('access_denied')) throw new OidcRefused('cancelled', 'Cancelled at the provider')
        throw toOidcRefused(error, 'Signing in with the provider')
      }
    },
  }
}

export type OidcProvider = ReturnType<typeof createOidcProvider>
