import type { Context } from 'hono'
import { deleteCookie, setSignedCookie } from 'hono/cookie'
import { parseSigned } from 'hono/utils/cookie'
import type { AppEnv } from '#http/app-env.ts'
import type { Instance } from './instance.ts'

/** One signed cookie. Scripts cannot read it, and browsers do not send it for other sites. */
export type SignedCookie = {
  name: string
  /** Reads the value from a `Cookie` header. Null without a valid signature by the current or the previous secret. */
  read: (header: string | undefined) => Promise<string | null>
  /** `maxAge` in seconds. */
  write: (c: Context<AppEnv>, value: string, maxAge: number) => Promise<void>
  clear: (c: Context<AppEnv>) => void
}

/** Attributes of every cookie that signs people in. */
export type CookieAttributes = { path: '/'; httpOnly: true; secure: boolean; sameSite: 'strict' }

/** The signature covers the value and not the name, so the value must include its purpose. */
export const signedCookie = (instance: Instance, name: string, attributes: CookieAttributes): SignedCookie => ({
  name,
  read: async (header) => {
    // Fast path: most requests without a session have no cookie.
    if (header === undefined || !header.includes(`${name}=`)) return null
    for (const key of [instance.secret, instance.previousSecret]) {
      const value = key === null ? null : (await parseSigned(header, key, name))[name]
      if (typeof value === 'string') return value
    }
    return null
  },
  write: (c, value, maxAge) => setSignedCookie(c, name, value, instance.secret, { ...attributes, maxAge }),
  clear: (c) => void deleteCookie(c, name, attributes),
})

/** The cookie that holds the token of a session. Its name is `__Host-…` wherever the browser uses https. */
export type SessionCookie = SignedCookie & { attributes: CookieAttributes }

/** `publicUrl` decides whether it is `Secure`: only a Docket on the loopback address of one machine may do without https. */
export const sessionCookie = (instance: Instance, publicUrl: URL | null): SessionCookie => {
  const secure = publicUrl?.protocol === 'https:'
  const attributes = { path: '/', httpOnly: true, secure, sameSite: 'strict' } as const
  return { ...signedCookie(instance, secure ? '__Host-docket' : `docket_${instance.name}`, attributes), attributes }
}
