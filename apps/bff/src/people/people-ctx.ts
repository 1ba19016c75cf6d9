import type { OidcSettings } from '#ground/config/oidc.ts'
import type { Ctx } from '#ground/ctx.ts'
import type { OwnHosts } from '#ground/http/access/own-hosts.ts'
import type { Identify } from '#ground/identity/identity.ts'
import type { Instance } from '#people/accounts/instance.ts'
import type { OidcProvider } from '#people/accounts/oidc/provider.ts'
import type { PasskeyChallenges } from '#people/accounts/passkeys/passkey-challenges.ts'
import type { PendingSignIns } from '#people/accounts/pending-sign-ins.ts'
import type { KnownDevices } from '#people/accounts/sign-in/known-devices.ts'
import type { Throttle } from '#people/accounts/sign-in/throttle.ts'
import type { createSignedCookie, SessionCookie } from '#people/accounts/signed-cookies.ts'

export type Oidc = {
  settings: OidcSettings
  provider: OidcProvider
  /** What the provider said when it refused this browser, for a minute. Signed, so nobody else can put words there. */
  said: ReturnType<typeof createSignedCookie>
}

export type PeopleCtx = Ctx & {
  instance: Instance
  /** `publicUrl` is null when only this computer can reach Docket. */
  hosts: OwnHosts
  /** Host name of `publicUrl`. */
  host: string | null
  /** The first admin may do without a password. */
  passwordOptional: boolean
  cookie: SessionCookie
  devices: KnownDevices
  /** Sign-ins that wait for a code. Each row has the id of its user, by which `setPassword` ends those with the old password. */
  pendingCodes: PendingSignIns
  challenges: PasskeyChallenges
  throttle: Throttle
  /** Null when single sign-on is not configured. */
  oidc: Oidc | null
  identify: Identify
  /** Waits for pending updates of the last use of tokens. Never rejects. */
  settled: () => Promise<void>
}

export type OidcCtx = PeopleCtx & { oidc: Oidc }
