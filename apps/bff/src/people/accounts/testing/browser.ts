import type { Role } from '@docket/api-types/session'
import { sql } from 'drizzle-orm'
import { serializeSigned } from 'hono/utils/cookie'
import { signInAccounts } from '#people/accounts/accounts.table.ts'
import { hashPassword } from '#people/accounts/password-hash.ts'
import { createSessionCookie } from '#people/accounts/signed-cookies.ts'
import { openSession } from '#people/accounts/sessions.ts'
import type { Database } from '#ground/db/database.ts'
import { testInstance } from '#testing/instance.ts'

/** A password that satisfies all rules. */
export const goodPassword = 'trellis onion 7 marble quay'

// Shared, because deriving a hash takes a tenth of a second.
const hashOfGood = hashPassword(goodPassword)

/** Creates a person who can sign in with `goodPassword`. */
export const withPassword = async (db: Database, email: string, role: Role = 'viewer') => {
  // In SQL, because the tables of an earlier version lack columns.
  const { rows } = await db.execute<{ id: string; name: string }>(
    sql`insert into users (name, email, role) values (${email.split('@')[0]}, ${email}, ${role}) returning id, name`,
  )
  const user = rows[0]!
  const password = await hashOfGood
  await db.insert(signInAccounts).values({ accountId: user.id, providerId: 'credential', userId: user.id, password })
  return { ...user, email, role }
}

/**
 * A separate browser with its own cookies, which sends the headers that Docket's page sends. `address`: the client address that a trusted
 * proxy reports.
 */
export const browser = (url: string, address?: string) => {
  const jar = new Map<string, string>()
  const send = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(url + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(jar.size > 0 && { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') }),
        ...(address !== undefined && { 'x-forwarded-for': address }),
        ...(method !== 'GET' && { origin: url, 'sec-fetch-site': 'same-origin', 'x-docket': '1' }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (/max-age=0(;|$)/i.test(line) || value === '') jar.delete(name!)
      else jar.set(name!, value!)
    }
    return response
  }
  /** Signs in without a password, because checking one takes a tenth of a second. */
  const enter = async (db: Database, userId: string, now = Date.now()) => {
    const instance = await testInstance(db)
    const { token } = await openSession(db, userId, { now, address: '127.0.0.1', userAgent: 'test' })
    const { name } = createSessionCookie(instance, null)
    const [, value] = /^[^=]+=([^;]*)/.exec(await serializeSigned(name, token, instance.secret)) ?? []
    jar.set(name, value!)
  }
  const signIn = (email: string, password = goodPassword) =>
    send('POST', '/api/auth/sign-in/password', { email, password })
  return { jar, send, signIn, enter }
}
