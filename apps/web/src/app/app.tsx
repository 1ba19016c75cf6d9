import { QueryClientProvider } from '@tanstack/react-query'
import { ErrorBoundary } from './error-boundary.tsx'
import { Gate } from './gate.tsx'
import { makeQueryClient } from './query-client.ts'

const client = makeQueryClient()

/** The whole web app. */
export const App = () => (
  <ErrorBoundary>
    <QueryClientProvider client={client}>
      <Gate />
    </QueryClientProvider>
  </ErrorBoundary>
)
