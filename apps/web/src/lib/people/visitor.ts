import { roleNames } from '@docket/api-types/roles'
import { forgetStored, readStored, writeStored } from '#lib/state/store.ts'
import type { Permission } from './permissions.ts'

/** Last person in this browser. `role` is null after their session ended. */
export type Visitor = { userId: string; role: Permission | null }

/** Parses `docket.who`, `role:userId`. It may be outdated, but the page need not wait for the session. */
const parseVisitor = (text: string | null): Visitor | null => {
  const [role, userId] = text?.split(':') ?? []
  return userId ? { userId, role: roleNames.find((name) => name === role) ?? null } : null
}

export const readLastVisitor = (): Visitor | null => parseVisitor(readStored('local', 'who'))

/** Owner of this tab's drafts and scroll positions, or null. A restored tab may have another person's. */
export const readTabOwner = (): string | null => readStored('session', 'of')

export const keepVisitor = ({ userId, role }: Visitor): void => {
  if (readTabOwner() !== userId) writeStored('session', 'of', userId)
  const text = `${role ?? ''}:${userId}`
  if (readStored('local', 'who') !== text) writeStored('local', 'who', text)
}

/** Clears the person's data in this browser. Theme, address and the choice of keys stay. */
export const forgetVisitor = (): void => {
  forgetStored('local', ['theme', 'address', 'single-keys', 'compact-lists'])
  forgetStored('session')
}

/** Calls `left` after a sign-out in another tab, and `other` with the id of another user who signed in there. Returns an unsubscribe function. */
export const onOtherTab = ({ left, other }: { left: () => void; other: (userId: string) => void }): (() => void) => {
  const listener = ({ key, newValue }: StorageEvent) => {
    if (key !== 'docket.who') return
    const now = parseVisitor(newValue)
    if (now === null) left()
    else other(now.userId)
  }
  addEventListener('storage', listener)
  return () => removeEventListener('storage', listener)
}
