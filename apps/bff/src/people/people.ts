import { LRUCache } from 'lru-cache'
import type { OidcSettings } from '#ground/config/oidc.ts'
import type { Ground } from '#ground/ground.ts'
import type { Database } from '#ground/db/database.ts'
import { readListTag } from '#ground/db/revision.ts'
import { readBearer } from '#ground/http/access/identity.ts'
import type { OwnHosts } from '#ground/http/access/own-hosts.ts'
import { shareReads } from '#ground/http/conditional-get/coalesce.ts'
import type { Identify, Identity } from '#ground/identity/identity.ts'
import { deleteEndedSignIns } from '#people/accounts/clean-up.ts'
import type { Instance } from '#people/accounts/instance.ts'
import { createOidcProvider } from '#people/accounts/oidc/provider.ts'
import { startRechecks } from '#people/accounts/oidc/recheck.ts'
import { createPasskeyChallenges } from '#people/accounts/passkeys/passkey-challenges.ts'
import { createPendingSignIns } from '#people/accounts/pending-sign-ins.ts'
import { findSession, type FoundSession, isWithinLimits, touchSession } from '#people/accounts/sessions.ts'
import { createKnownDevices } from '#people/accounts/sign-in/known-devices.ts'
import { createThrottle } from '#people/accounts/sign-in/throttle.ts'
import { createSessionCookie, createSignedCookie, type SessionCookie } from '#people/accounts/signed-cookies.ts'
import { createTokenFinder } from '#people/tokens/find-token.ts'
import type { PeopleCtx } from './people-ctx.ts'

// About ten thousand sessions. Each cache key is the whole `Cookie` header of a browser.
const maxBytes = 8 * 1024 * 1024

/**
 * Identifies callers. Trusts cached sessions only while the tag of the accounts is unchanged, so an ended session ends in every replica.
 */
const createIdentifier = (deps: {
  db: Database
  cookie: SessionCookie
  now: () => number
  bearer: (token: string) => Promise<Identity>
}): Identify => {
  const { db, cookie, now, bearer } = deps
  const readCurrentTag = shareReads(() => readListTag(db, 'accounts'))
  const cache = new LRUCache<string, FoundSession & { tag: string }>({
    maxSize: maxBytes,
    sizeCalculation: (_session, header) => 512 + header.length,
  })

  const identifyByCookie = async (header: string): Promise<Identity> => {
    const known = cache.get(header)
    const at = now()
    const tag = await readCurrentTag()
    if (known?.tag === tag && isWithinLimits(known, at)) {
      const touched = await touchSession(db, known, at)
      if (touched !== known) cache.set(header, { ...touched, tag })
      return known.person
    }
    const token = await cookie.read(header)
    const found = token === null ? null : await findSession(db, token, at)
    if (found === null) return null
    cache.set(header, { ...(await touchSession(db, found, at)), tag })
    return found.person
  }

  return async ({ cookie: header, authorization }) => {
    const token = readBearer(authorization)
    if (token !== undefined) return bearer(token)
    return header === undefined || !header.includes(`${cookie.name}=`) ? null : identifyByCookie(header)
  }
}

export const openPeople = (
  { work, ticks, ...ground }: Ground,
  { instance, hosts, oidc }: { instance: Instance; hosts: OwnHosts; oidc: OidcSettings | null },
): PeopleCtx => {
  const { db, now, log, events } = ground
  const { publicUrl } = hosts
  const cookie = createSessionCookie(instance, publicUrl)
  const pending = (options: { name: string; prefix: string; maxAge: number }) =>
    createPendingSignIns({ instance, session: cookie }, options)
  const ctx = { db, now, log, events }
  const tokens = createTokenFinder(ctx)
  work.add({ name: 'ended-sign-ins', cron: '47 * * * *', run: () => deleteEndedSignIns(db, now()) })
  const people: PeopleCtx = {
    ...ctx,
    instance,
    hosts,
    host: publicUrl?.hostname ?? null,
    passwordOptional: publicUrl === null,
    cookie,
    devices: createKnownDevices(instance, cookie),
    pendingCodes: pending({ name: 'two_factor', prefix: '2fa-', maxAge: 10 * 60 }),
    // Earlier versions wrote tokens of challenges without a prefix.
    challenges: createPasskeyChallenges(db, pending({ name: 'passkey', prefix: '', maxAge: 5 * 60 })),
    throttle: createThrottle({ db, instance }),
    oidc:
      oidc === null
        ? null
        : {
            settings: oidc,
            provider: createOidcProvider(oidc, now),
            said: createSignedCookie(instance, `${cookie.name}.sso_said`, cookie.attributes),
          },
    identify: createIdentifier({ db, cookie, now, bearer: tokens.find }),
    settled: tokens.settled,
  }
  if (people.oidc !== null) startRechecks({ ...people, oidc: people.oidc }, { work, ticks })
  return people
}
