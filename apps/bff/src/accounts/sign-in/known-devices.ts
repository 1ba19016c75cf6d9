import { randomBytes } from 'node:crypto'
import type { Context } from 'hono'
import type { Instance } from '#accounts/instance.ts'
import { type SessionCookie, signedCookie } from '#accounts/signed-cookies.ts'
import type { AppEnv } from '#http/app-env.ts'

/** Browsers that have signed in to an account before. A known browser has attempts of its own and no other right. */
export type KnownDevices = {
  /** Returns the subject that attempts of this browser count for, or null if it is unknown to the account. */
  find: (header: string | undefined, userId: string) => Promise<string | null>
  /** Makes this browser known to an account. */
  remember: (c: Context<AppEnv>, userId: string) => Promise<void>
  forget: (c: Context<AppEnv>) => void
}

const maxAge = 180 * 24 * 3_600

/** Recognises browsers by a signed cookie. */
export const knownDevices = (instance: Instance, session: SessionCookie): KnownDevices => {
  const cookie = signedCookie(instance, `${session.name}-device`, session.attributes)
  const find = async (header: string | undefined, userId: string) => {
    const value = await cookie.read(header)
    return value?.startsWith(`device.${userId}.`) === true ? value : null
  }
  return {
    find,
    remember: async (c, userId) => {
      // A new value would bring used attempts back with every sign-in elsewhere.
      const value =
        (await find(c.req.header('cookie'), userId)) ?? `device.${userId}.${randomBytes(12).toString('base64url')}`
      await cookie.write(c, value, maxAge)
    },
    forget: cookie.clear,
  }
}
