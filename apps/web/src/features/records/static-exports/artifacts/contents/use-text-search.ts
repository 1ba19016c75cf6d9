import { useLocation, useNavigate } from '@tanstack/react-router'

export const useTextSearch = (): [string, (q: string) => void] => {
  const navigate = useNavigate()
  const q = useLocation({ select: ({ search }) => (search as { q?: unknown }).q })
  const change = (next: string) =>
    void navigate({
      to: '.',
      // Every page that uses this has the parameter.
      search: ((search: object) => ({ ...search, q: next || undefined })) as never,
      replace: true,
    })
  return [typeof q === 'string' ? q : '', change]
}
