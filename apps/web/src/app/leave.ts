import { signOut } from '#features/accounts/sign-out.ts'
import { toMessage } from '#lib/api-error.ts'
import { toast } from '#ui/toast.ts'

/** Signs out; shows a toast if that fails. */
export const leave = (): void =>
  void signOut().catch((error: unknown) => toast(`You are still signed in. ${toMessage(error)}`, { tone: 'failed' }))
