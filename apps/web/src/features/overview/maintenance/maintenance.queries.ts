import type { PreviewMaintenance } from '@docket/api-types/maintenance'
import { useMutation } from '@tanstack/react-query'
import { post } from '#lib/api/api.ts'

/** Counts what an order would do. Nothing is pushed. */
export const usePreview = () =>
  useMutation({ mutationFn: (body: PreviewMaintenance) => post('/api/maintenance/preview', { body }) })
