import { randomBytes } from 'node:crypto'
import type { Context } from 'hono'
import type { Instance } from '#people/accounts/instance.ts'
import { type SessionCookie, createSignedCookie } from '#people/accounts/signed-cookies.ts'
import type { AppEnv } from '#ground/http/app-env.ts'

const maxAge = 180 * 24 * 3_600

/** Recognises browsers by a signed cookie. */
export const createKnownDevices = (instance: Instance, session: SessionCookie) => {
  const cookie = createSignedCookie(instance, `${session.name}-device`, session.attributes)
  const find = async (header: string | undefined, userId: string) => {
    const value = await cookie.read(header)
    return value?.startsWith(`device.${userId}.`) === true ? value : null
  }
  return {
    /** Returns the subject that attempts of this browser count for, or null if it is unknown to the account. */
    find,
    remember: async (c: Context<AppEnv>, userId: string) => {
      // A new value would restore used attempts with every sign-in in another browser.
      const value =
        (await find(c.req.header('cookie'), userId)) ?? `device.${userId}.${randomBytes(12).toString('base64url')}`
      await cookie.write(c, value, maxAge)
    },
    forget: cookie.clear,
  }
}

/** Browsers that have signed in to an account before. A known browser has its own attempts and no other rights. */
export type KnownDevices = ReturnType<typeof createKnownDevices>
