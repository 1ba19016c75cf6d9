import type { AcceptFinding, Finding, Findings } from '@docket/api-types/artifacts'
import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useMutation,
  useQueryClient,
  type InfiniteData,
} from '@tanstack/react-query'
import { get, linkTo, post, remove } from '#lib/api/api.ts'
import { parseFindingsSearch, toFindingsQuery, type FindingsSearch } from './findings-search.ts'

const root = 'findings'
const partSize = 100

const readFindings = (
  exportId: string,
  search: FindingsSearch,
  part: { skip: number; limit: number },
  signal?: AbortSignal,
) =>
  get('/api/static-exports/{exportId}/artifact/findings', {
    params: { exportId },
    query: { ...toFindingsQuery(search), ...part },
    signal,
  })

export const findingsQuery = (exportId: string, search: FindingsSearch) =>
  infiniteQueryOptions({
    queryKey: [root, exportId, search],
    queryFn: ({ signal, pageParam }) => readFindings(exportId, search, { skip: pageParam, limit: partSize }, signal),
    initialPageParam: 0,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  })

/** Counts of the hints by rule. */
export const sourceHintsQuery = (exportId: string) =>
  queryOptions({
    queryKey: [root, exportId, 'hints'],
    queryFn: ({ signal }) =>
      readFindings(exportId, parseFindingsSearch({ level: 'notes' }), { skip: 0, limit: 1 }, signal),
  })

export const printFindingsPath = (exportId: string, search: FindingsSearch, format: 'csv' | 'json'): string =>
  linkTo(`/api/static-exports/{exportId}/artifact/findings.${format}`, {
    params: { exportId },
    query: toFindingsQuery(search),
  })

export const printFilePath = (exportId: string, path: string): string =>
  linkTo('/api/static-exports/{exportId}/artifact/file', { params: { exportId }, query: { path } })

type Parts = InfiniteData<Findings, number>

export const replaceFinding = (parts: Parts, finding: Finding, { counts, check }: Findings): Parts => ({
  ...parts,
  pages: parts.pages.map((part) => ({
    ...part,
    counts,
    check,
    findings: part.findings.map((one) => (one.fingerprint === finding.fingerprint ? finding : one)),
  })),
})

/**
 * Changes a finding. It keeps its place on screen even if it no longer matches the filters, so that the reader can undo it there; counts are
 * read again.
 */
const useUpdateFinding = <Input extends { fingerprint: string }>(
  exportId: string,
  search: FindingsSearch,
  change: (params: { exportId: string; fingerprint: string }, input: Input) => Promise<Finding>,
) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (input: Input) => {
      const finding = await change({ exportId, fingerprint: input.fingerprint }, input)
      const counted = await readFindings(exportId, search, { skip: 0, limit: 1 }).catch(() => null)
      return { finding, counted }
    },
    onSuccess: async ({ finding, counted }) => {
      const { queryKey } = findingsQuery(exportId, search)
      await client.cancelQueries({ queryKey })
      client.setQueryData<Parts>(queryKey, (parts) =>
        parts?.pages[0] ? replaceFinding(parts, finding, counted ?? parts.pages[0]) : parts,
      )
      // Refreshes other filters, and the same cause in other exports of the site.
      await client.invalidateQueries({ queryKey: [root], refetchType: 'none' })
      await client.invalidateQueries({ queryKey: ['static-exports'] })
    },
  })
}

export const useAcceptFinding = (exportId: string, search: FindingsSearch) =>
  useUpdateFinding<AcceptFinding & { fingerprint: string }>(exportId, search, (params, { reason }) =>
    post('/api/static-exports/{exportId}/artifact/findings/{fingerprint}/acceptance', { params, body: { reason } }),
  )

export const useTakeBackAcceptance = (exportId: string, search: FindingsSearch) =>
  useUpdateFinding<{ fingerprint: string }>(exportId, search, (params) =>
    remove('/api/static-exports/{exportId}/artifact/findings/{fingerprint}/acceptance', { params }),
  )
