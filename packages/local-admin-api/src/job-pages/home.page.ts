import { page, statusBadge, time, type Markup } from '@docket/code-hosts/embedded/pages/layout'
import { noAgent } from '@docket/doc-agent/runners/no-agent'
import { html } from 'hono/html'
import type { AgentJobRecord } from '#agent-jobs/agent-job.ts'
import { formatHeadline, renderRepository } from './agent-job.page.ts'

const shownJobs = 50

/** A project, and the address of its repository. */
export type ListedProject = { projectId: string; repositoryUrl: string }

/** The first page: a form for a new agent job, the jobs so far, and the repositories. `hasAgent`: prompts can be worked on. */
export const homePage = (
  projects: readonly ListedProject[],
  jobs: readonly AgentJobRecord[],
  hasAgent: boolean,
): Markup =>
  page(
    'Agent jobs and repositories',
    html`
      ${projects.length === 0 ? html`<p class="quiet">No projects for agent jobs.</p>` : newJobForm(projects, hasAgent)}
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

const newJobForm = (projects: readonly ListedProject[], hasAgent: boolean): Markup =>
  html`<form class="panel" method="post" action="/jobs">
    <h2>New agent job</h2>
    <p class="quiet">
      ${
        hasAgent
          ? 'The configured command works on a copy of the project’s documentation. A pull request is opened when files changed.'
          : noAgent
      }
    </p>
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
