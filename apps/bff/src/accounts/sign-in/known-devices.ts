import { randomBytes } from 'node:crypto'
import type { Context } from 'hono'
import { deleteCookie, setSignedCookie } from 'hono/cookie'
import type { Instance } from '#accounts/instance.ts'
import type { SessionCookie } from '#accounts/session-cookie.ts'
import { readSigned } from '#accounts/signed-cookies.ts'
import type { AppEnv } from '#http/app-env.ts'

/** Browsers that have signed in to an account before. Being known opens nothing: it only has attempts of its own. */
export type KnownDevices = {
  /** What to count attempts of this browser for, when it is known for this account. `header`: the `Cookie` header. */
  find: (header: string | undefined, userId: string) => Promise<string | null>
  /** Makes this browser known for an account. */
  remember: (c: Context<AppEnv>, userId: string) => Promise<void>
  /** Takes that from this browser. */
  forget: (c: Context<AppEnv>) => void
}

const lastsSeconds = 180 * 24 * 3_600

/** Known by a signed cookie. */
export const knownDevices = (instance: Instance, { name: session, attributes }: SessionCookie): KnownDevices => {
  const name = `${session}-device`
  const find = async (header: string | undefined, userId: string) => {
    if (header === undefined || !header.includes(`${name}=`)) return null
    const value = await readSigned(header, name, instance)
    return value?.startsWith(`device.${userId}.`) === true ? value : null
  }
  return {
    find,
    remember: async (c, userId) => {
      // What is used up must not begin anew with each sign-in elsewhere.
      const value =
        (await find(c.req.header('cookie'), userId)) ?? `device.${userId}.${randomBytes(12).toString('base64url')}`
      await setSignedCookie(c, name, value, instance.secret, { ...attributes, maxAge: lastsSeconds })
    },
    forget: (c) => void deleteCookie(c, name, attributes),
  }
}
