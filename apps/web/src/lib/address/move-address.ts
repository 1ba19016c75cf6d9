import type { Session } from '@docket/api-types/session'
import { ApiError } from '#lib/api/api-error.ts'
import { get, post } from '#lib/api/api.ts'
import { readStored, writeStored } from '#lib/state/store.ts'

/**
 * True when this browser reaches Docket at `origin`. Some resolvers do not know names under localhost, and a stored
 * name may be outdated.
 */
const isReachable = (origin: string): Promise<boolean> =>
  fetch(`${origin}/here`, { credentials: 'omit', cache: 'no-store', signal: AbortSignal.timeout(3_000) }).then(
    ({ ok }) => ok,
    () => false,
  )

let isUnreachable = false

/**
 * Moves a page on a shared address to Docket's own address, with its session, if this browser reaches it. Docket sends the address
 * to signed-in people, and the browser stores it. Returns whether the page is leaving.
 */
export const moveToOwnAddress = async ({ person, ownAddress }: Session): Promise<boolean> => {
  if (isUnreachable) return false
  const origin = ownAddress ?? readStored('local', 'address')
  if (origin === null) return false
  isUnreachable = !(await isReachable(origin))
  if (isUnreachable) return false
  writeStored('local', 'address', origin)
  // The token of a one-time link was redeemed here and has left the address.
  const path = /^\/(setup|link)$/.test(location.pathname) && location.hash === '' ? '/' : location.pathname
  const session = person && (await post('/api/account/sessions/handover'))
  location.replace(origin + path + location.search + (session ? `#handover=${session.handover}` : '') + location.hash)
  return true
}

/** Retries while the database is down, for less than the minute that a handover token lives. */
const retry = { everyMs: 3_000, times: 10 }

const redeemHandover = async (handover: string): Promise<void> => {
  for (let tries = 1; ; tries += 1)
    try {
      const { person } = await get('/api/session')
      if (!person) await post('/api/session', { body: { handover } })
      return
    } catch (error) {
      const mayPass = error instanceof ApiError && error.code === 'database_unavailable'
      if (!mayPass || tries === retry.times) throw error
      await new Promise((resolve) => setTimeout(resolve, retry.everyMs))
    }
}

/** Continues a session that the address hands over, unless this browser is signed in already. */
export const takeOverSession = async (): Promise<void> => {
  const [, handover, hash = ''] = /^#handover=(\d+-[\w-]{43})(#.*)?$/.exec(location.hash) ?? []
  if (handover === undefined) return
  history.replaceState(history.state, '', location.pathname + location.search + hash)
  await redeemHandover(handover)
}
