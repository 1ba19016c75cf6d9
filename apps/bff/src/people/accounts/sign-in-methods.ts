import type { Database } from '#ground/db/database.ts'
import type { AccountService } from './accounts.service.ts'
import type { Instance } from './instance.ts'
import { oidcService } from './oidc/oidc.service.ts'
import type { OidcSettings } from '#ground/config/oidc.ts'
import { ownPasskeys } from './passkeys/own-passkeys.ts'
import { passkeyChallenges } from './passkeys/passkey-challenges.ts'
import { passkeySignIn } from './passkeys/sign-in-with-passkey.ts'
import { ownSecondFactor } from './second-factor/own-second-factor.ts'
import { pendingSignIns } from './pending-sign-ins.ts'
import { signInWithCode } from './second-factor/sign-in-with-code.ts'

/** `oidc` null: no single sign-on. */
export const signInMethods = (deps: {
  db: Database
  instance: Instance
  accounts: Pick<AccountService, 'cookie' | 'pendingCodes' | 'throttle' | 'now'>
  oidc: OidcSettings | null
}) => {
  const { db, instance, accounts, oidc } = deps
  const { cookie, pendingCodes, throttle, now } = accounts
  const code = { db, instance, pendingCodes, throttle }
  // Earlier versions wrote tokens of challenges without a prefix.
  const pending = pendingSignIns({ instance, session: cookie }, { name: 'passkey', prefix: '', maxAge: 5 * 60 })
  const challenges = passkeyChallenges(db, pending)
  const passkey = { db, challenges, throttle }
  return {
    secondFactor: { signIn: signInWithCode(code), own: ownSecondFactor(code) },
    passkeys: { ...passkeySignIn(passkey), own: ownPasskeys(passkey), challenges },
    /** Null where none is configured. */
    oidc: oidc === null ? null : oidcService({ db, settings: oidc, throttle, now }),
  }
}

/** Ways to sign in besides the password alone: the code that follows it, passkeys, and single sign-on. */
export type SignInMethods = ReturnType<typeof signInMethods>
