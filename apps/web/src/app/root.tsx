import { Outlet } from '@tanstack/react-router'
import { useSession } from '#features/people/accounts/session.queries.ts'
import { isSharedAddress } from '#lib/address/own-address.ts'

/** Renders nothing while the page may move to Docket's own address. */
export const Root = () => {
  const { isPending } = useSession()
  return isPending && isSharedAddress() ? null : <Outlet />
}
