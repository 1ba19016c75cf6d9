import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { get } from '#lib/api/api.ts'
import { useChosenConnection } from '#ui/connections/connections.tsx'
import { useSettledValue } from '#ui/live/use-settled.ts'
import { matchesText } from './palette-request.ts'

const quietMs = 150
const limit = 8

/** The newest exports that match `q`, of one connection or all (`''`). Keeps the previous rows until the response. */
export const foundExportsQuery = (q: string, connection: string) =>
  queryOptions({
    // The key contains the whole search, so that a late response never replaces another one.
    queryKey: ['static-exports', 'found', q, connection],
    queryFn: async ({ signal }) =>
      (await get('/api/static-exports', { query: { q, connection, limit }, signal })).items,
    placeholderData: keepPreviousData,
  })

export const foundJobsQuery = (q: string, connection: string) =>
  queryOptions({
    queryKey: ['agent-jobs', 'found', q, connection],
    queryFn: async ({ signal }) => (await get('/api/agent-jobs', { query: { q, connection, limit }, signal })).items,
    placeholderData: keepPreviousData,
  })

/**
 * Searches all exports and jobs on the server, shortly after the last key press. While `searching`, shows previous rows that match
 * `search`.
 */
export const usePaletteSearch = (search: string) => {
  const connection = useChosenConnection()
  const q = useSettledValue(search, quietMs)
  const exports = useQuery(foundExportsQuery(q, connection))
  const jobs = useQuery(foundJobsQuery(q, connection))
  const both = [exports, jobs]
  const isBehind = q !== search
  const keep = <Row>(rows: readonly Row[] = [], isPrevious: boolean, list: (row: Row) => (string | null)[]) =>
    isBehind || isPrevious ? rows.filter((row) => matchesText(search, list(row))) : rows
  return {
    exports: keep(exports.data, exports.isPlaceholderData, ({ domain, domainUnicode, version, jobId, status }) => [
      domain,
      domainUnicode,
      version,
      jobId,
      status,
    ]),
    jobs: keep(jobs.data, jobs.isPlaceholderData, ({ title, summary, projectId, id, source, model }) => [
      title ?? null,
      summary ?? null,
      projectId,
      id,
      source.repository?.text ?? null,
      source.ref,
      model,
    ]),
    searching: isBehind || both.some(({ isPending, isPlaceholderData }) => isPending || isPlaceholderData),
    error: isBehind ? null : (exports.error ?? jobs.error),
    retry: () => void Promise.all(both.filter(({ isError }) => isError).map(({ refetch }) => refetch())),
  }
}

export type PaletteSearch = ReturnType<typeof usePaletteSearch>
