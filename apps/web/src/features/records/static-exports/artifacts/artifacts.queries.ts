import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { useWriteExport } from '#features/records/static-exports/static-exports.queries.ts'
import { get, linkTo, post, remove } from '#lib/api/api.ts'

const maxText = 200

type Search = { q: string; limit: number }

const toPartRequest = (exportId: string, { q, limit }: Search, skip: number) => ({
  params: { exportId },
  query: { q: q.trim().slice(0, maxText), skip, limit },
})

const parts = { initialPageParam: 0 as number, placeholderData: keepPreviousData, staleTime: 30_000 }

export const pagesQuery = (exportId: string, search: Search) =>
  infiniteQueryOptions({
    ...parts,
    queryKey: ['static-exports', 'pages', exportId, search],
    queryFn: ({ signal, pageParam }) =>
      get('/api/static-exports/{exportId}/artifact/pages', { ...toPartRequest(exportId, search, pageParam), signal }),
    getNextPageParam: ({ next }) => next,
  })

export const filesQuery = (exportId: string, search: Search) =>
  infiniteQueryOptions({
    ...parts,
    queryKey: ['static-exports', 'files', exportId, search],
    queryFn: ({ signal, pageParam }) =>
      get('/api/static-exports/{exportId}/artifact/files', { ...toPartRequest(exportId, search, pageParam), signal }),
    getNextPageParam: ({ next }) => next,
  })

export const printZipPath = (exportId: string): string =>
  linkTo('/api/static-exports/{exportId}/download/zip', { params: { exportId } })
export const printChecksumPath = (exportId: string): string =>
  linkTo('/api/static-exports/{exportId}/download/sha256', { params: { exportId } })
export const printFilePath = (exportId: string, path: string): string =>
  linkTo('/api/static-exports/{exportId}/artifact/file', { params: { exportId }, query: { path } })

export const useStoreBundleNow = () =>
  useWriteExport((exportId: string) => post('/api/static-exports/{exportId}/artifact', { params: { exportId } }))

export const useDeleteCopy = () =>
  useWriteExport((exportId: string) => remove('/api/static-exports/{exportId}/artifact', { params: { exportId } }))

export const useKeepBundle = () =>
  useWriteExport(({ exportId, keep }: { exportId: string; keep: boolean }) =>
    (keep ? post : remove)('/api/static-exports/{exportId}/artifact/keep', { params: { exportId } }),
  )
