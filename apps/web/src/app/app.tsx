import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { ApiError } from '#lib/api-error.ts'
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

/** The whole web app. */
export const App = () => (
  <QueryClientProvider client={client}>
    <RouterProvider router={router} />
  </QueryClientProvider>
)
