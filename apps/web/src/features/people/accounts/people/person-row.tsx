import type { User } from '@docket/api-types/accounts'
import type { Role } from '@docket/api-types/session'
import {
  Ban,
  KeyRound,
  Link,
  Link2Off,
  MessageSquare,
  MessageSquareOff,
  Monitor,
  RotateCcw,
  Trash2,
} from 'lucide-react'
import { useState } from 'react'
import { GrantMarks } from '#features/people/accounts/grants/grant-marks.tsx'
import type { HeldRole, Places } from '#features/people/accounts/grants/places.ts'
import { useSession } from '#features/people/accounts/session.queries.ts'
import { aRole } from '#lib/people/permissions.ts'
import { isolateText, formatPlural } from '#lib/text/format.ts'
import { buttonClass, refusedProps } from '#ui/buttons/button.tsx'
import { Options } from '#ui/forms/form.tsx'
import { Ago } from '#ui/live/ticking.tsx'
import { toastEnd, toastUndo } from '#ui/live/use-write.ts'
import { StateLabel } from '#ui/marks/state-mark.tsx'
import { MenuItem, MenuLine, Menu } from '#ui/overlays/menu.tsx'
import { showReason } from '#ui/overlays/reason.ts'
import { useChangeUser } from './people.queries.ts'
import { OpenPersonDialog, type PersonDialog } from './person-dialogs.tsx'
import { offerRoles } from './roles.ts'

type RoleSelectProps = { user: User; refused: string | null; canLimit: boolean }

const RoleSelect = ({ user, refused, canLimit }: RoleSelectProps) => {
  const { mutateAsync, isPending, variables } = useChangeUser()
  const currentRole = isPending ? (variables.role ?? user.role) : user.role
  const choose = (select: HTMLElement, role: Role) => {
    if (refused !== null) return showReason(select, refused)
    toastEnd(
      mutateAsync({ userId: user.userId, role }),
      `${isolateText(user.name)} is now ${role === 'none' ? 'limited to roles on connections and sites' : aRole[role]}.`,
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
      <Options of={offerRoles(canLimit || currentRole === 'none').map(({ value, label }) => [value, label])} />
    </select>
  )
}

/** Why an admin may not demote, disable or delete this user; null when they may. */
const explainChangeRefusal = (user: User, isSelf: boolean, isLastAdmin: boolean): string | null => {
  if (isSelf) return 'You can’t do this to your own account. Ask another admin.'
  return isLastAdmin ? 'This is the last admin who can sign in. Make someone else an admin first.' : null
}

const listSignInMethods = (user: User): string =>
  [
    user.hasPassword && 'password',
    user.hasSecondFactor && 'authenticator app',
    user.passkeys > 0 && formatPlural(user.passkeys, 'passkey'),
    user.hasOidc && 'single sign-on',
  ]
    .filter(Boolean)
    .join(', ')

type CommandsProps = { user: User; refused: string | null; onOpen: (which: PersonDialog) => void }

const Commands = ({ user, refused, onOpen }: CommandsProps) => {
  const { mutateAsync } = useChangeUser()
  const { userId } = user
  const name = isolateText(user.name)
  const isOff = user.disabledAt !== null
  const turn = (disabled: boolean) => {
    const command = mutateAsync({ userId, disabled })
    if (disabled) toastUndo(command, `Disabled ${name} and ended their sessions.`, async () => turn(false))
    else toastEnd(command, `${name} can sign in again.`)
  }
  const mayPrompt = user.mayPrompt !== false
  const allowPrompts = (allowed: boolean) => {
    const command = mutateAsync({ userId, mayPrompt: allowed })
    if (allowed) toastEnd(command, `${name} may prompt agents as an operator.`)
    else toastUndo(command, `${name} may no longer prompt agents.`, async () => allowPrompts(true))
  }
  const withOidc = typeof useSession().data?.methods.oidc === 'string'
  const links = typeof user.linksUntil === 'string'
  const allowLink = () =>
    toastEnd(
      mutateAsync({ userId, linkAtSignIn: !links }),
      links
        ? `Single sign-on won’t link ${name}.`
        : `The next single sign-on with ${user.email} links this account. It can then only sign in that way.`,
    )
  return (
    <>
      <MenuItem icon={<Monitor />} onSelect={() => onOpen('sessions')}>
        Sessions…
      </MenuItem>
      <MenuItem
        icon={<KeyRound />}
        refused={isOff ? 'Enable the account first.' : null}
        onSelect={() => onOpen('password link')}
      >
        Password link…
      </MenuItem>
      {withOidc && (
        <MenuItem
          icon={links ? <Link2Off /> : <Link />}
          refused={isOff && !links ? 'Enable the account first.' : null}
          onSelect={allowLink}
        >
          {links ? 'Don’t link single sign-on' : 'Link at next single sign-on'}
        </MenuItem>
      )}
      <MenuItem
        icon={mayPrompt ? <MessageSquareOff /> : <MessageSquare />}
        refused={user.role === 'admin' ? 'Admins may always prompt agents.' : null}
        onSelect={() => allowPrompts(!mayPrompt)}
      >
        {mayPrompt ? 'Don’t allow prompts to agents' : 'Allow prompts to agents'}
      </MenuItem>
      <MenuLine />
      {isOff ? (
        <MenuItem icon={<RotateCcw />} onSelect={() => turn(false)}>
          Enable
        </MenuItem>
      ) : (
        <MenuItem icon={<Ban />} refused={refused} onSelect={() => turn(true)}>
          Disable
        </MenuItem>
      )}
      <MenuItem icon={<Trash2 />} danger refused={refused} onSelect={() => onOpen('delete')}>
        Delete…
      </MenuItem>
    </>
  )
}

type PersonRowProps = {
  user: User
  isSelf: boolean
  isLastAdmin: boolean
  grants: readonly HeldRole[]
  places: Places
  canLimit: boolean
}

export const PersonRow = ({ user, isSelf, isLastAdmin, grants, places, canLimit }: PersonRowProps) => {
  const [open, setOpen] = useState<PersonDialog | null>(null)
  const refused = explainChangeRefusal(user, isSelf, isLastAdmin)
  const ways = listSignInMethods(user)
  const ownRole = isSelf ? 'You can’t remove your own role. Ask another admin.' : null
  return (
    <>
      <div className="col-span-2 min-w-0 sm:col-span-1">
        <p className="flex flex-wrap items-center gap-x-3 font-medium">
          <span className="wrap-anywhere">
            <bdi>{user.name}</bdi>
            {isSelf && <span className="font-normal text-muted"> (you)</span>}
          </span>
          {user.disabledAt !== null && <StateLabel tone="archived">Disabled</StateLabel>}
          {user.refusedAt && <StateLabel tone="archived">Left all groups</StateLabel>}
          {user.linksUntil && <StateLabel tone="idle">Links at next single sign-on</StateLabel>}
          {user.mayPrompt === false && user.role !== 'admin' && <StateLabel tone="idle">No prompts</StateLabel>}
        </p>
        <p className="text-xs text-muted wrap-anywhere">{user.email}</p>
        <GrantMarks name={user.name} grants={grants} places={places} refused={ownRole} />
      </div>
      <div className="min-w-0 text-xs text-muted">
        <p>
          {user.lastSeenAt ? (
            <>
              Last seen <Ago at={user.lastSeenAt} />, {formatPlural(user.sessions, 'session')}
            </>
          ) : (
            'Not signed in'
          )}
        </p>
        <p>{ways === '' ? 'No password yet' : `Signs in with ${ways}`}</p>
      </div>
      <div className="flex items-center justify-end gap-1.5">
        <RoleSelect user={user} refused={refused} canLimit={canLimit} />
        <Menu label={`More for ${user.name}`}>
          <Commands user={user} refused={refused} onOpen={setOpen} />
        </Menu>
      </div>
      {open && <OpenPersonDialog which={open} user={user} onClose={() => setOpen(null)} />}
    </>
  )
}
