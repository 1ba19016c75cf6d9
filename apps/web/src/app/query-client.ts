import { QueryClient } from '@tanstack/react-query'
import { ApiError } from '#lib/api-error.ts'

/** One cache for the page. Reads that got no answer are tried again here and nowhere else; commands never are. */
export const makeQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        retry: (failures, error) => failures < 1 && error instanceof ApiError && error.code === 'no_answer',
        retryDelay: 500,
        refetchOnWindowFocus: 'always',
        refetchIntervalInBackground: false,
        // The browser's guess about the network says nothing about a server on the same machine.
        networkMode: 'always',
        staleTime: 1000,
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
