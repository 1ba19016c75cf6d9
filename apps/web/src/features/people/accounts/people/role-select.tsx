import type { User } from '@docket/api-types/accounts'
import type { Role } from '@docket/api-types/session'
import { isolate } from '#lib/text/bidi.ts'
import { aRole } from '#lib/people/permissions.ts'
import { buttonClass, refusedProps } from '#ui/buttons/button.tsx'
import { showReason } from '#ui/overlays/reason.ts'
import { toast, toastFailure } from '#ui/messages/toast.ts'
import { useChangeUser } from './people.queries.ts'
import { offerRoles } from './roles.ts'

type RoleSelectProps = { user: User; refused: string | null; canLimit: boolean }

/** Changes a user's role at once. */
export const RoleSelect = ({ user, refused, canLimit }: RoleSelectProps) => {
  const { mutate, isPending, variables } = useChangeUser()
  const currentRole = isPending ? (variables.role ?? user.role) : user.role
  const choose = (select: HTMLElement, role: Role) => {
    if (refused !== null) return showReason(select, refused)
    mutate(
      { userId: user.userId, role },
      {
        onSuccess: () =>
          toast(
            `${isolate(user.name)} is now ${role === 'none' ? 'limited to roles on connections and sites' : aRole[role]}.`,
            {
              tone: 'done',
            },
          ),
        onError: toastFailure(),
      },
    )
  }
  return (
    <select
      aria-label={`Role of ${user.name}`}
      {...refusedProps(refused)}
      aria-disabled={refused !== null || isPending || undefined}
      aria-busy={isPending || undefined}
      value={currentRole}
      onChange={(event) => !isPending && choose(event.target, event.target.value as Role)}
      className={`${buttonClass()} appearance-auto pr-1 font-normal`}
    >
      {offerRoles(canLimit || currentRole === 'none').map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  )
}
