import { QueryClientProvider } from '@tanstack/react-query'
import { ErrorBoundary } from './error-boundary.tsx'
import { makeQueryClient } from './query-client.ts'
import { Shell } from './shell.tsx'

const client = makeQueryClient()

/** The whole web app. */
export const App = () => (
  <ErrorBoundary>
    <QueryClientProvider client={client}>
      <Shell />
    </QueryClientProvider>
  </ErrorBoundary>
)
