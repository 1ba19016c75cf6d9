import type { OwnHosts } from '#http/access/own-hosts.ts'
import { apiRoutes } from '#http/api-routes.ts'
import type { AccountService } from './accounts.service.ts'
import { oidcRoutes } from './oidc/oidc.routes.ts'
import type { OtherWays } from './other-ways.ts'
import { passkeyRoutes } from './passkeys/passkeys.routes.ts'
import { secondFactorRoutes } from './second-factor/second-factor.routes.ts'

/** `/api/auth/second-factor`, `/api/auth/passkey`, `/api/auth/oidc`, and what people set up for them under `/api/account`. */
export const otherWaysRoutes = (ways: OtherWays, accounts: AccountService, hosts: OwnHosts) =>
  apiRoutes()
    .route('/', secondFactorRoutes(ways.secondFactor, accounts))
    .route('/', passkeyRoutes(ways.passkeys, accounts, hosts))
    .route('/', oidcRoutes(ways.oidc, { cookie: accounts.cookie, publicUrl: hosts.publicUrl }))
