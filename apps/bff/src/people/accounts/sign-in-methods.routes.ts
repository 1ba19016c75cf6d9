import type { OwnHosts } from '#ground/http/access/own-hosts.ts'
import { apiRoutes } from '#ground/http/api-routes.ts'
import type { AccountService } from './accounts.service.ts'
import { oidcRoutes } from './oidc/oidc.routes.ts'
import type { SignInMethods } from './sign-in-methods.ts'
import { passkeyRoutes } from './passkeys/passkeys.routes.ts'
import { secondFactorRoutes } from './second-factor/second-factor.routes.ts'

/** `/api/auth/second-factor`, `/api/auth/passkey`, `/api/auth/oidc`, and their set-up under `/api/account`. */
export const signInMethodRoutes = (methods: SignInMethods, accounts: AccountService, hosts: OwnHosts) =>
  apiRoutes()
    .route('/', secondFactorRoutes(methods.secondFactor, accounts))
    .route('/', passkeyRoutes(methods.passkeys, accounts, hosts))
    .route('/', oidcRoutes(methods.oidc, { cookie: accounts.cookie, publicUrl: hosts.publicUrl }))
