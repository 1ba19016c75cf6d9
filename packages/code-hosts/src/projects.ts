import { setTimeout } from 'node:timers/promises'
import { oncePerKey } from '@docket/once'
import { parseSource } from '@docket/sources/site-source'
import { type CodeHostOptions, configureCodeHosts } from '#api/services.ts'
import { openEmbeddedProject, formatEmbeddedUrl } from '#embedded/embedded-project.ts'
import { repositories, type Repositories } from '#embedded/repositories.ts'
import { formatRepositoryUrl, type GitSource } from '#git/follow-branch.ts'
import type { Pause } from './code-host-error.ts'
import type { Project, Projects } from './code-host.ts'
import { openRemoteProject } from './remote-project.ts'

export type OpenProjects = { projects: Projects; repositories: Repositories }

const wait: Pause = (ms, signal) => setTimeout(ms, undefined, signal && { signal })

const embeddedProjects = (repositories: Repositories, now: () => Date): Projects => ({
  projectIds: repositories.projectIds,
  repositoryUrl: (projectId) => (repositories.projectIds.includes(projectId) ? formatEmbeddedUrl(projectId) : null),
  open: async (projectId) => {
    const repository = await repositories.open(projectId)
    return repository && openEmbeddedProject(repository, now)
  },
})

/** Makes no network call. Throws a readable error for an invalid id or source. */
export const openProjects = (options: {
  sources: Readonly<Record<string, string>>
  codeHosts?: readonly CodeHostOptions[] | undefined
  place: (...names: string[]) => string
  now: () => Date
  pause?: Pause
  /** True by default. */
  keepHistory?: boolean
}): OpenProjects => {
  const { sources, place, now, pause = wait, keepHistory = true } = options
  const [folders, elsewhere] = bySort(sources)
  const codeHosts = configureCodeHosts(options.codeHosts ?? [], pause, now)
  const hosted = repositories(place('code-host'), folders, { dataDir: place(), pause, keepHistory })
  const remotes = oncePerKey<Project>({ keep: true })
  const openElsewhere = (projectId: string, source: GitSource) =>
    remotes.run(projectId, () =>
      openRemoteProject({ projectId, source, folder: place('code-hosts'), codeHosts, pause }),
    )
  const embedded = embeddedProjects(hosted, now)
  const projects: Projects = {
    projectIds: Object.keys(sources),
    repositoryUrl: (projectId) => {
      const source = elsewhere.get(projectId)
      return source ? formatRepositoryUrl(source) : embedded.repositoryUrl(projectId)
    },
    open: async (projectId) => {
      const source = elsewhere.get(projectId)
      return source ? openElsewhere(projectId, source) : embedded.open(projectId)
    },
  }
  return { projects, repositories: hosted }
}

/** An id is a folder name and a part of addresses. `sentinel` is reserved, and `.git` is the ending of clone addresses. */
const isProjectId = (id: string) => /^[a-z0-9][\w.-]{0,99}$/i.test(id) && !/\.git$/i.test(id) && id !== 'sentinel'

const bySort = (sources: Readonly<Record<string, string>>) => {
  const hosted: Record<string, string | GitSource> = {}
  const elsewhere = new Map<string, GitSource>()
  for (const [id, text] of Object.entries(sources)) {
    if (!isProjectId(id))
      throw new Error(
        `“${id}” cannot be a project id: letters, digits, “-”, “_” and “.”, and neither sentinel nor *.git.`,
      )
    const source = parseSource(text)
    if (source.kind === 'mirror' || source.kind === 'built')
      throw new Error(`The project ${id} needs a folder or a git repository, not a web page or a built site.`)
    if (source.kind === 'folder') hosted[id] = source.folder
    else if (source.repository.startsWith('file:')) hosted[id] = source
    else {
      const { username, password } = new URL(source.repository)
      if (username !== '' || password !== '')
        throw new Error(`The address of the project ${id} has a user or password in it: use LOCAL_CODE_HOST_TOKEN.`)
      elsewhere.set(id, source)
    }
  }
  return [hosted, elsewhere] as const
}
