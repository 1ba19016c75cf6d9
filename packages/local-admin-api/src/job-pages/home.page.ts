import { page, statusBadge, time, type Markup } from '@docket/code-hosts/embedded/pages/layout'
import { recipeUsages } from '@docket/doc-agent/recipes/recipes'
import { html } from 'hono/html'
import type { AgentJobRecord } from '#agent-jobs/agent-job.ts'
import { formatHeadline, renderRepository } from './agent-job.page.ts'

const shownJobs = 50

/** A project, and the address of its repository. */
export type ListedProject = { projectId: string; repositoryUrl: string }

/** The first page: a form for a new agent job, the jobs so far, and the repositories. `isBuiltIn`: no other runner is configured. */
export const homePage = (
  projects: readonly ListedProject[],
  jobs: readonly AgentJobRecord[],
  isBuiltIn: boolean,
): Markup =>
  page(
    'Agent jobs and repositories',
    html`
      ${projects.length === 0 ? html`<p class="quiet">No projects for agent jobs.</p>` : newJobForm(projects, isBuiltIn)}
      <h2>Jobs</h2>
      ${
        jobs.length === 0
          ? html`<p class="quiet">None yet. Jobs created here or through the API appear here.</p>`
          : html`<ul class="list">
              ${jobs.slice(0, shownJobs).map(jobRow)}
            </ul>`
      }
      ${jobs.length > shownJobs ? html`<p class="quiet">The newest ${shownJobs} of ${jobs.length}.</p>` : ''}
      <h2>Repositories</h2>
      ${projects.length === 0 ? html`<p class="quiet">None.</p>` : repositoryList(projects)}
    `,
  )

const repositoryList = (projects: readonly ListedProject[]): Markup =>
  html`<ul class="list">
    ${projects.map(
      ({ projectId, repositoryUrl }) =>
        html`<li>
          <strong>${projectId}</strong>
          <span class="end">${renderRepository(repositoryUrl)}</span>
        </li>`,
    )}
  </ul>`

const newJobForm = (projects: readonly ListedProject[], isBuiltIn: boolean): Markup =>
  html`<form class="panel" method="post" action="/jobs">
    <h2>New agent job</h2>
    ${
      isBuiltIn
        ? html`<p class="quiet">
              The built-in runner works on a copy of the project’s documentation and opens a pull request when files
              changed. It calls no model; it runs these steps, one per line:
            </p>
            <ul class="usages">
              ${recipeUsages.map((usage) => html`<li><code>${usage}</code></li>`)}
            </ul>`
        : html`<p class="quiet">
            The configured command works on a copy of the project’s documentation. A pull request is opened when files
            changed.
          </p>`
    }
    <label for="projectId">Project</label>
    <select id="projectId" name="projectId">
      ${projects.map(({ projectId }) => html`<option>${projectId}</option>`)}
    </select>
    <label for="prompt">Prompt</label>
    <textarea id="prompt" name="prompt" rows="4" required maxlength="10000" spellcheck="false"></textarea>
    <button>Create job</button>
  </form>`

const jobRow = (job: AgentJobRecord): Markup =>
  html`<li>
    ${statusBadge(job.status)}
    <a href="/jobs/${job.projectId}/${job.id}">${formatHeadline(job)}</a>
    <span class="quiet end">${job.projectId} · ${time(job.createdAt)}</span>
  </li>`
