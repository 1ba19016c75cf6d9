import type { Permission } from './permissions.ts'
import { forgetStored, readStored, writeStored } from './storage.ts'

/** Who this browser knew last. `role` is null once their session has ended, until somebody signs in. */
export type Visitor = { userId: string; role: Permission | null }

const roles = ['viewer', 'operator', 'admin'] as const satisfies readonly Permission[]

/** Under `docket.who`, as `role:userId`. Only a guess, so that a page need not wait for the session. */
const parse = (text: string | null): Visitor | null => {
  const [role, userId] = text?.split(':') ?? []
  return userId ? { userId, role: roles.find((name) => name === role) ?? null } : null
}

/** Who it was; null in a browser that knows nobody. */
export const lastVisitor = (): Visitor | null => parse(readStored('local', 'who'))

/** Whose drafts and places in lists this tab keeps; a tab that was put away may come back to somebody else. Null: nobody's. */
export const tabOwner = (): string | null => readStored('session', 'of')

/** Keeps who it is. */
export const keepVisitor = ({ userId, role }: Visitor): void => {
  if (tabOwner() !== userId) writeStored('session', 'of', userId)
  const text = `${role ?? ''}:${userId}`
  if (readStored('local', 'who') !== text) writeStored('local', 'who', text)
}

/** Forgets all that this browser keeps of whoever was here: drafts, places in lists, notifications. Theme and address stay. */
export const forgetVisitor = (): void => {
  forgetStored('local', ['theme', 'address'])
  forgetStored('session')
}

/** Forgets what this tab alone keeps: drafts and places in lists. */
export const forgetTab = (): void => forgetStored('session')

/**
 * Calls `left` when another tab has signed out, and `other` with whoever has signed in there. What this tab alone keeps is the caller's to
 * forget: `forgetTab`. Returns the way out.
 */
export const onOtherTab = ({ left, other }: { left: () => void; other: (userId: string) => void }): (() => void) => {
  const listener = ({ key, newValue }: StorageEvent) => {
    if (key !== 'docket.who') return
    const now = parse(newValue)
    if (now === null) left()
    else other(now.userId)
  }
  addEventListener('storage', listener)
  return () => removeEventListener('storage', listener)
}
