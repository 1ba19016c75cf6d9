import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { sessionQuery } from '#features/people/accounts/session.queries.ts'
import { statusQuery } from '#features/service/connections/connection.queries.ts'
import { ApiError } from '#lib/api/api-error.ts'
import { router } from './routes.tsx'

/** Retries unanswered reads once; never retries commands. */
const client = new QueryClient({
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

/** Reads what every page needs, before the first one is rendered. */
export const readAhead = async (): Promise<void> => {
  const { person } = await client.fetchQuery(sessionQuery)
  if (person) await client.prefetchQuery(statusQuery(false))
}

/** The whole web app. */
export const App = () => (
  <QueryClientProvider client={client}>
    <RouterProvider router={router} />
  </QueryClientProvider>
)
