import { aboutService } from '#people/accounts/about/about.service.ts'
import { accountService } from '#people/accounts/accounts.service.ts'
import { deleteEndedSignIns } from '#people/accounts/clean-up.ts'
import type { Instance } from '#people/accounts/instance.ts'
import { savedViewService } from '#people/accounts/saved-views/saved-views.service.ts'
import { signInMethods } from '#people/accounts/sign-in-methods.ts'
import { apiTokenService } from '#people/tokens/api-tokens.service.ts'
import { tokenFinder } from '#people/tokens/find-token.ts'
import type { OidcSettings } from '#ground/config/oidc.ts'
import type { Ground } from '#ground/ground.ts'
import type { OwnHosts } from '#ground/http/access/own-hosts.ts'

/** Accounts, sign-in and API tokens. */
export const openPeople = (
  { db, now, log, work }: Ground,
  deps: {
    instance: Instance
    hosts: OwnHosts
    /** Null: no single sign-on. */
    oidc: OidcSettings | null
    version: string
    normaliseDomain: (text: string) => { domain: string }
  },
) => {
  const { instance, hosts, oidc, version, normaliseDomain } = deps
  const apiTokens = { ...apiTokenService({ db, normaliseDomain, now }), ...tokenFinder({ db, now, log }) }
  const accounts = accountService({ db, instance, hosts, oidcName: oidc?.name ?? null, now, apiTokens })
  work.add({ name: 'ended-sign-ins', cron: '47 * * * *', run: () => deleteEndedSignIns(db, now()) })
  return {
    accounts,
    apiTokens,
    savedViews: savedViewService({ db, now }),
    about: aboutService({ db, version, now }),
    signInMethods: signInMethods({ db, instance, accounts, oidc }),
  }
}
