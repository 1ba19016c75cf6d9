import type { Context } from 'hono'
import { deleteCookie, setSignedCookie } from 'hono/cookie'
import { parseSigned } from 'hono/utils/cookie'
import type { AppEnv } from '#ground/http/app-env.ts'
import type { Instance } from './instance.ts'

export type CookieAttributes = { path: '/'; httpOnly: true; secure: boolean; sameSite: 'strict' }

/** The signature covers only the value and not the name, so the value itself must identify its purpose. */
export const createSignedCookie = (instance: Instance, name: string, attributes: CookieAttributes) => ({
  name,
  /** Reads the value from a `Cookie` header. Null without a valid signature by the current or the previous secret. */
  read: async (header: string | undefined) => {
    // Most requests without a session have no cookie at all, so this skips the work of parsing.
    if (header === undefined || !header.includes(`${name}=`)) return null
    for (const key of [instance.secret, instance.previousSecret]) {
      const value = key === null ? null : (await parseSigned(header, key, name))[name]
      if (typeof value === 'string') return value
    }
    return null
  },
  /** `maxAge` in seconds. */
  write: (c: Context<AppEnv>, value: string, maxAge: number) =>
    setSignedCookie(c, name, value, instance.secret, { ...attributes, maxAge }),
  clear: (c: Context<AppEnv>) => void deleteCookie(c, name, attributes),
})

/** One signed cookie. Scripts cannot read it, and no other site can make a browser send it. */
type SignedCookie = ReturnType<typeof createSignedCookie>

/** The cookie that holds the token of a session. Its name is `__Host-…` wherever the browser uses https. */
export type SessionCookie = SignedCookie & { attributes: CookieAttributes }

/** The cookie is `Secure` unless `publicUrl` is null: only a Docket on the loopback address may be used without https. */
export const createSessionCookie = (instance: Instance, publicUrl: URL | null): SessionCookie => {
  const secure = publicUrl?.protocol === 'https:'
  const attributes = { path: '/', httpOnly: true, secure, sameSite: 'strict' } as const
  return {
    ...createSignedCookie(instance, secure ? '__Host-docket' : `docket_${instance.name}`, attributes),
    attributes,
  }
}
