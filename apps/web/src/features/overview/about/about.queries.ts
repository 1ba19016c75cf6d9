import type { About } from '@docket/api-types/about'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { get, post } from '#lib/api/api.ts'

const aboutQuery = (version: string | undefined) =>
  queryOptions({
    queryKey: ['about', version],
    queryFn: ({ signal }) => get('/api/about', { signal }),
    enabled: version !== undefined,
    staleTime: Infinity,
  })

export const useAbout = (version: string | undefined) => useQuery(aboutQuery(version))

export const useHasUnreadNews = (version: string | undefined): boolean => {
  const { data } = useAbout(version)
  return data !== undefined && data.lastRead !== null
}

export const useNoteNewsRead = (version: string | undefined) => {
  const client = useQueryClient()
  const { mutate } = useMutation({
    mutationFn: () => post('/api/account/read-news'),
    onSuccess: () =>
      client.setQueryData(aboutQuery(version).queryKey, (about?: About) => about && { ...about, lastRead: null }),
  })
  return mutate
}
