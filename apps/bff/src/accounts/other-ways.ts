import type { Database } from '#db/database.ts'
import type { AccountService } from './accounts.service.ts'
import type { Instance } from './instance.ts'
import { oidcService, type OidcService } from './oidc/oidc.service.ts'
import type { OidcSettings } from '#config/oidc.ts'
import { ownPasskeys } from './passkeys/own-passkeys.ts'
import { passkeySignIn } from './passkeys/sign-in-with-passkey.ts'
import { ownSecondFactor } from './second-factor/own-second-factor.ts'
import { signInWithCode } from './second-factor/sign-in-with-code.ts'

/** How people come in besides the password: the code that follows it, passkeys, and single sign-on. */
export type OtherWays = {
  secondFactor: { signIn: ReturnType<typeof signInWithCode>; own: ReturnType<typeof ownSecondFactor> }
  passkeys: ReturnType<typeof passkeySignIn> & { own: ReturnType<typeof ownPasskeys> }
  /** Null where none is configured. */
  oidc: OidcService | null
}

/** `oidc` null: no single sign-on. */
export const otherWays = (deps: {
  db: Database
  instance: Instance
  accounts: Pick<AccountService, 'cookie' | 'openAuth' | 'throttle' | 'now'>
  oidc: OidcSettings | null
}): OtherWays => {
  const { db, instance, accounts, oidc } = deps
  const { cookie, openAuth, throttle, now } = accounts
  const code = { db, instance, cookie, openAuth, throttle }
  return {
    secondFactor: { signIn: signInWithCode(code), own: ownSecondFactor(code) },
    passkeys: { ...passkeySignIn({ db, openAuth, throttle }), own: ownPasskeys({ db, openAuth, throttle }) },
    oidc: oidc === null ? null : oidcService({ db, settings: oidc, throttle, now }),
  }
}
