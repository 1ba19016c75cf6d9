import type { Context } from 'hono'
import { deleteCookie, setSignedCookie } from 'hono/cookie'
import type { AppEnv } from '#http/app-env.ts'
import type { Instance } from './instance.ts'
import { readSigned, rewriteCookies } from './signed-cookies.ts'

/** The cookie that holds a session: signed, for this host only, never sent along from another site, out of reach of scripts. */
export type SessionCookie = {
  /** `__Host-…` wherever the browser comes over https. */
  name: string
  /** Of every cookie that has to do with signing in. */
  attributes: { path: '/'; httpOnly: true; secure: boolean; sameSite: 'strict' }
  /** What the cookie of a request holds, when the signature is Docket's own. `header`: the `Cookie` header. */
  read: (header: string | undefined) => Promise<string | null>
  /** The `Cookie` header as better-auth must see it. */
  rewrite: (header: string) => Promise<string>
  write: (c: Context<AppEnv>, token: string, expiresAt: Date) => Promise<void>
  clear: (c: Context<AppEnv>) => void
}

/** `publicUrl` decides whether it is `Secure`: only a Docket on the loopback address of one machine may do without https. */
export const sessionCookie = (instance: Instance, publicUrl: URL | null): SessionCookie => {
  const secure = publicUrl?.protocol === 'https:'
  const name = secure ? '__Host-docket' : `docket_${instance.name}`
  const attributes = { path: '/', httpOnly: true, secure, sameSite: 'strict' } as const
  return {
    name,
    attributes,
    read: async (header) => {
      // Most requests without a session have no cookie at all.
      if (header === undefined || !header.includes(`${name}=`)) return null
      return readSigned(header, name, instance)
    },
    rewrite: (header) => rewriteCookies(header, instance),
    write: (c, token, expires) => setSignedCookie(c, name, token, instance.secret, { ...attributes, expires }),
    clear: (c) => void deleteCookie(c, name, attributes),
  }
}
