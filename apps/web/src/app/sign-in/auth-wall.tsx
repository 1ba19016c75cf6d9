import type { Person } from '@docket/api-types/session'
import { useQueryClient } from '@tanstack/react-query'
import { Outlet, useNavigate } from '@tanstack/react-router'
import {
  Fragment,
  lazy,
  Suspense,
  useDeferredValue,
  useEffect,
  useState,
  useSyncExternalStore,
  type ReactNode,
} from 'react'
import { Shell } from '#app/frame/shell.tsx'
import { AuthPage } from '#features/people/accounts/auth-pages/auth-page.tsx'
import { sessionQuery, useSession } from '#features/people/accounts/session.queries.ts'
import { needsNewLink, signOut, signOutQuestion } from '#features/people/accounts/sign-out.ts'
import { toMessage } from '#lib/api/api-error.ts'
import { clearResponses, onNotSignedIn } from '#lib/api/api.ts'
import { permissions, promptRight } from '#lib/people/permissions.ts'
import { forgetVisitor, keepVisitor, readLastVisitor, onOtherTab, readTabOwner } from '#lib/people/visitor.ts'
import { polling } from '#lib/polling/polling.ts'
import { restoreSession, takeSession, createStore } from '#lib/state/store.ts'
import { keepZone, timeZone } from '#lib/time/zone.ts'
import { Button } from '#ui/buttons/button.tsx'
import { lazyDialog } from '#ui/overlays/lazy.tsx'
import { AuthFrame } from './auth-frame.tsx'

const OnlySites = lazy(() => import('./only-sites.tsx').then((module) => ({ default: module.OnlySites })))
const SignedOutDialog = lazy(() =>
  import('./signed-out-dialog.tsx').then((module) => ({ default: module.SignedOutDialog })),
)
const SignOutDialog = lazyDialog(async () => (await import('./sign-out-dialog.tsx')).SignOutDialog)
const SignedOutPage = lazy(() => import('./signed-out-page.tsx').then((module) => ({ default: module.SignedOutPage })))

/** Reloads for another person. Nothing of the previous one stays in memory or in this browser. */
const reloadForPerson = (person: Pick<Person, 'userId' | 'role'>) => {
  clearResponses()
  forgetVisitor()
  keepVisitor(person)
  location.reload()
}

/** True when this page, browser or tab belonged to another person before. */
const isOtherPerson = (userId: string, firstPerson: Person | null): boolean =>
  [firstPerson?.userId, readLastVisitor()?.userId, readTabOwner()].some((id) => typeof id === 'string' && id !== userId)

/** True when this browser remembers its last user, so that the page need not wait for the session. */
const knowsLastVisitor = (): boolean => {
  const last = readLastVisitor()
  return last !== null && last.role !== null && (readTabOwner() ?? last.userId) === last.userId
}

/** Reads the session, because a 401 may only mean a mistyped password. */
const useNoticedSessionEnd = () => {
  const client = useQueryClient()
  useEffect(
    () =>
      onNotSignedIn(() => {
        if (client.getQueryData(sessionQuery.queryKey)?.person)
          void client.refetchQueries({ queryKey: sessionQuery.queryKey }, { cancelRefetch: false })
      }),
    [client],
  )
}

/** How often the person's time zone changed elsewhere. The page then shows all its times anew. */
const zoneChanges = createStore(0)

const useApplyPerson = (person: Person | null | undefined, firstPerson: Person | null) => {
  const client = useQueryClient()
  const userId = person?.userId
  const role = person?.role
  const mayPrompt = person?.mayPrompt ?? null
  const zone = person?.timeZone ?? undefined
  useEffect(() => {
    if (userId === undefined || timeZone.get() === zone) return
    keepZone(zone)
    zoneChanges.set(zoneChanges.get() + 1)
  }, [userId, zone])
  useEffect(() => {
    if (userId === undefined || role === undefined) return
    if (isOtherPerson(userId, firstPerson)) return reloadForPerson({ userId, role })
    keepVisitor({ userId, role })
    permissions.set(role)
    promptRight.set(mayPrompt)
    if (polling.get().stopped) {
      polling.set({ stopped: false })
      void client.invalidateQueries()
    }
  }, [client, userId, role, mayPrompt, firstPerson])
  const isOut = person === null
  useEffect(() => {
    if (!isOut) return
    const last = readLastVisitor()
    // Stored without a role: the next person may be another one, and then the drafts are deleted.
    if (last) keepVisitor({ ...last, role: null })
    polling.set({ stopped: true })
  }, [isOut])
}

/** Drafts of this tab while it is hidden, else null. In memory only: the next person can read the storage. */
const hiddenDrafts = createStore<ReturnType<typeof takeSession> | null>(null)

/** Hides the page after a sign-out in another tab, until the same person is back. Returns true while it is hidden. */
const useSignedOutElsewhere = (person: Person | null | undefined, firstPerson: Person | null): boolean => {
  const client = useQueryClient()
  const drafts = useSyncExternalStore(hiddenDrafts.subscribe, hiddenDrafts.get)
  useEffect(
    () =>
      onOtherTab({
        left: () => {
          const taken = takeSession()
          if (firstPerson === null) return location.replace('/sign-in')
          void client.cancelQueries(sessionQuery)
          client.setQueryData(sessionQuery.queryKey, (session) => session && { ...session, person: null })
          hiddenDrafts.set(hiddenDrafts.get() ?? taken)
        },
        other: (id) => {
          if (firstPerson === null) return
          // The reloaded page removes the data of the previous person.
          if (id !== firstPerson.userId) location.reload()
          else void client.refetchQueries({ queryKey: sessionQuery.queryKey })
        },
      }),
    [client, firstPerson],
  )
  const isHidden = drafts !== null
  useEffect(() => {
    if (!isHidden) return
    clearResponses()
    client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] })
    client.getMutationCache().clear()
  }, [client, isHidden])
  useEffect(() => {
    // `person` may still be from before the sign-out.
    const back = client.getQueryData(sessionQuery.queryKey)?.person
    if (drafts === null || !back || isOtherPerson(back.userId, firstPerson)) return
    restoreSession(drafts)
    hiddenDrafts.set(null)
  }, [client, drafts, person, firstPerson])
  return isHidden
}

const SignOutQuestion = () => {
  const { data } = useSession()
  const asks = data !== undefined && needsNewLink(data)
  useEffect(() => signOutQuestion.set({ asks, open: false }), [asks])
  const { open } = useSyncExternalStore(signOutQuestion.subscribe, signOutQuestion.get)
  return open && <SignOutDialog onClose={() => signOutQuestion.set({ asks, open: false })} />
}

const NoSessionNotice = ({ error, onRetry }: { error: unknown; onRetry: () => void }) => (
  <AuthFrame>
    <div role="alert">
      <AuthPage title="Docket can’t check your sign-in" lead={toMessage(error)}>
        <Button variant="primary" onClick={onRetry}>
          Try again
        </Button>
      </AuthPage>
    </div>
  </AuthFrame>
)

const NoRoleNotice = ({ onRetry }: { onRetry: () => void }) => (
  <AuthFrame>
    <AuthPage title="You don’t have a role yet" lead="Ask an admin for one, then try again.">
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" onClick={onRetry}>
          Try again
        </Button>
        <Button onClick={signOut}>Sign out</Button>
      </div>
    </AuthPage>
  </AuthFrame>
)

const RedirectToAuthPage = ({ needsSetup }: { needsSetup: boolean }) => {
  const navigate = useNavigate()
  useEffect(() => {
    const here = location.pathname + location.search
    void navigate(
      needsSetup
        ? { to: '/setup', replace: true }
        : { to: '/sign-in', search: here === '/' ? {} : { returnTo: here }, replace: true },
    )
  }, [navigate, needsSetup])
  return null
}

/** Lets React render its children in steps, so that the browser stays responsive. */
const RenderInSteps = ({ children }: { children: ReactNode }) => (useDeferredValue(true, false) ? children : null)

/** Shows the sign-in pages when no user is signed in. `children` replace the page of the address. */
export const AuthWall = ({ children = <Outlet /> }: { children?: ReactNode }) => {
  const { data, error, refetch } = useSession()
  // Typed text stays on the page during the new sign-in.
  const [firstPerson, setFirstPerson] = useState<Person | null>(null)
  const person = data?.person
  if (person && firstPerson === null) setFirstPerson(person)
  useNoticedSessionEnd()
  useApplyPerson(person, firstPerson)
  const zoneChange = useSyncExternalStore(zoneChanges.subscribe, zoneChanges.get)
  const isHidden = useSignedOutElsewhere(person, firstPerson)
  const isOut = person === null
  if (isOut && firstPerson === null) return <RedirectToAuthPage needsSetup={data?.needsSetup ?? false} />
  if (isHidden)
    return isOut ? (
      <Suspense>
        <SignedOutPage />
      </Suspense>
    ) : null
  // A browser with a known person shows the page while it reads the session.
  if (data === undefined && !knowsLastVisitor())
    return error ? <NoSessionNotice error={error} onRetry={() => void refetch()} /> : null
  if (person && isOtherPerson(person.userId, firstPerson)) return null
  if (person?.role === 'none')
    return (
      <Suspense>
        <OnlySites otherwise={<NoRoleNotice onRetry={() => void refetch()} />}>{children}</OnlySites>
      </Suspense>
    )
  return (
    <>
      <RenderInSteps>
        <Shell>
          <Fragment key={zoneChange}>{children}</Fragment>
        </Shell>
      </RenderInSteps>
      <SignOutQuestion />
      {isOut && (
        <Suspense>
          <SignedOutDialog email={firstPerson?.email ?? ''} hadPassword={firstPerson?.hasPassword ?? false} />
        </Suspense>
      )}
    </>
  )
}
