import type { Project, SaveProject } from '@docket/api-types/connections'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { get, post } from '#lib/api/api.ts'
import { useWrite } from '#ui/live/use-write.ts'

export const projectsQuery = queryOptions({
  queryKey: ['projects'],
  queryFn: ({ signal }) => get('/api/projects', { signal }),
  staleTime: 60_000,
  refetchOnWindowFocus: true,
})

type Named = { connectionId?: string | undefined; projectId: string }

export const findProject = (projects: readonly Project[], { connectionId, projectId }: Named): Project | null =>
  projects.find(
    (one) => one.projectId === projectId && (connectionId === undefined || one.connectionId === connectionId),
  ) ?? null

export const useNamedProject = (record: Named): Project | null => {
  const { data } = useQuery(projectsQuery)
  return findProject(data?.items ?? [], record)
}

export const useProjectName = (record: Named): string => useNamedProject(record)?.name ?? record.projectId

/** Projects of a connection, the default one first, then named ones; of all connections for `''`. */
export const useProjects = (connectionId: string, enabled = true): readonly Project[] => {
  const { data } = useQuery({ ...projectsQuery, enabled })
  return listProjects(data?.items ?? [], connectionId)
}

const rankProject = ({ isDefault, name }: Project) => (isDefault ? 0 : name === null ? 2 : 1)

export const listProjects = (projects: readonly Project[], connectionId: string): readonly Project[] =>
  projects
    .filter((project) => connectionId === '' || project.connectionId === connectionId)
    .toSorted((a, b) => rankProject(a) - rankProject(b) || (a.name ?? a.projectId).localeCompare(b.name ?? b.projectId))

export const useSaveProject = () => useWrite(['projects'], (body: SaveProject) => post('/api/projects', { body }))
