import type { DecideOnStore, StorageQuery, StoredBundle } from '@docket/api-types/storage'
import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { ApiError } from '#lib/api/api-error.ts'
import { get, post, remove } from '#lib/api/api.ts'
import { useWrite } from '#ui/live/use-write.ts'
import { toastFailure } from '#ui/messages/toast.ts'

export type StorageSort = StorageQuery['sort']

export const storageQuery = (sort: StorageSort) =>
  infiniteQueryOptions({
    queryKey: ['storage', sort],
    queryFn: ({ signal, pageParam }) => get('/api/storage', { query: { sort, skip: pageParam, limit: 50 }, signal }),
    initialPageParam: 0 as number,
    getNextPageParam: ({ nextSkip }) => nextSkip,
    placeholderData: keepPreviousData,
    staleTime: 10_000,
    refetchInterval: ({ state }) => (state.data?.pages[0]?.recovery?.store === 'adopting' ? 5_000 : false),
  })

export const useDecideRecovery = () =>
  useWrite(['storage'], (body: DecideOnStore) => post('/api/storage/decisions', { body }), { onError: toastFailure() })

/** Deletes the copy of an export; does nothing if it is already deleted, so that a batch can be retried. */
const deleteCopy = async (exportId: string) => {
  try {
    await remove('/api/static-exports/{exportId}/artifact', { params: { exportId } })
  } catch (error) {
    if (!(error instanceof ApiError && (error.code === 'conflict' || error.code === 'not_found'))) throw error
  }
}

/** Deletes the copies of all exports that have the bytes of a bundle. Rejects with the first failure after it tried all of them. */
export const useDeleteBundle = () =>
  useWrite(['static-exports', 'storage'], async ({ exports }: StoredBundle) => {
    const failures: unknown[] = []
    for (const { exportId } of exports) await deleteCopy(exportId).catch((error: unknown) => failures.push(error))
    if (failures.length > 0) throw failures[0]
  })
