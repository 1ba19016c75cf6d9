import { QueryClient } from '@tanstack/react-query'
import { ApiError } from '#lib/api-error.ts'

/** Cache of the page. Retries unanswered reads once; never retries commands. */
export const makeQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        retry: (failures, error) => failures < 1 && error instanceof ApiError && error.code === 'no_answer',
        retryDelay: 500,
        refetchOnWindowFocus: 'always',
        refetchIntervalInBackground: false,
        // The browser's offline state proves nothing about a server on the same machine.
        networkMode: 'always',
        staleTime: 1000,
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
