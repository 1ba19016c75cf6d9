import type { Role } from '@docket/api-types/session'
import { randomUUID } from 'node:crypto'
import { users } from '#people/accounts/accounts.table.ts'
import { createSessionCookie } from '#people/accounts/signed-cookies.ts'
import { openSession } from '#people/accounts/sessions.ts'
import type { Actor } from '#ground/identity/identity.ts'
import type { Database } from '#ground/db/database.ts'
import { testInstance } from './instance.ts'
import { serializeSigned } from 'hono/utils/cookie'

/** A person, for tests that call a service without HTTP. */
export const testActor = (name = 'Ada'): Actor => ({
  kind: 'person',
  id: null,
  name,
  address: '127.0.0.1',
  requestId: null,
})

/** Creates a person with a session. `cookie` is the header that their browser sends. */
export const signedIn = async (
  db: Database,
  role: Role,
  { now = Date.now(), publicUrl = null }: { now?: number; publicUrl?: URL | null } = {},
) => {
  const instance = await testInstance(db)
  const name = `The ${role}`
  const [user] = await db
    .insert(users)
    .values({ name, email: `${role}.${randomUUID()}@example.com`, role })
    .returning()
  const { token, sessionId } = await openSession(db, user!.id, { now, address: '127.0.0.1', userAgent: 'test' })
  const cookie = await serializeSigned(createSessionCookie(instance, publicUrl).name, token, instance.secret, {
    path: '/',
    secure: true,
  })
  return { userId: user!.id, sessionId, token, name, email: user!.email, cookie: cookie.split(';', 1)[0]! }
}
