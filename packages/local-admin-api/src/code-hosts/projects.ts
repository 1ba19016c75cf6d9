import type { Repositories } from '#code-host/repositories.ts'
import type { Project, Projects } from '#code-hosts/code-host.ts'
import { embeddedProject, embeddedUrl } from '#code-hosts/embedded.ts'

/** Projects in repositories of the embedded code host. */
export const projectsOf = (repositories: Repositories, now: () => Date): Projects => ({
  projectIds: repositories.projectIds,
  repositoryUrl: (projectId) => (repositories.projectIds.includes(projectId) ? embeddedUrl(projectId) : null),
  open: async (projectId): Promise<Project | null> => {
    const repository = await repositories.open(projectId)
    return repository && embeddedProject(repository, now)
  },
})
