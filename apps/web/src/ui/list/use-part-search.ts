import { useLocation, useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'

type Part = '/exports/$exportId/changes' | '/exports/$exportId/findings'

/** The filters of one part of an export, as in the address. Typing replaces the history entry. */
export const usePartSearch = <Search extends object>(
  to: Part,
  exportId: string,
  parse: (values: Readonly<Record<string, unknown>>) => Search,
) => {
  const navigate = useNavigate()
  const values = useLocation({ select: ({ search }) => search })
  const search = useMemo(() => parse(values), [parse, values])
  const change = (next: Partial<Search>) => {
    const replace = Object.keys(next).every((name) => name === 'q')
    void navigate({ to, params: { exportId }, search: { ...search, ...next }, replace, resetScroll: false })
  }
  return { search, change }
}
