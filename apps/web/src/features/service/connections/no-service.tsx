import { Unplug } from 'lucide-react'
import { EmptyState } from '#ui/layout/empty-state.tsx'
import { NoServiceAdvice } from './no-service-advice.tsx'

export const NoService = () => (
  <EmptyState icon={<Unplug strokeWidth={1.5} />} title="No service is connected">
    <NoServiceAdvice />
  </EmptyState>
)
