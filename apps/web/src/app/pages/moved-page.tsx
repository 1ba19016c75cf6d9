import { useEffect } from 'react'
import { navigate } from '#lib/location.ts'

/** For addresses of before: leads to the new one, without leaving the old one behind in the history. */
const movedTo = (to: string) => () => {
  useEffect(() => navigate(to, { replace: true }), [])
  return null
}

/** The connection is a part of the settings, and the first of them. */
export const ConnectionMoved = movedTo('/settings/connection')
