import { html } from 'hono/html'
import { branchOf, type AgentJobRecord, type Turn } from '#agent-jobs/agent-job.ts'
import { recipeUsages } from '#agent-jobs/recipes/recipes.ts'
import { cut } from '#agent-jobs/step.ts'
import { page, statusBadge, time, type Markup } from '#code-host/layout.ts'

const shownJobs = 50

/** The first page: a form for a new agent job, the jobs so far, and the repositories. */
export const homePage = (projectIds: readonly string[], jobs: readonly AgentJobRecord[]): Markup =>
  page(
    'Agent jobs and repositories',
    html`
      ${projectIds.length === 0 ? html`<p class="quiet">There is no project for agent jobs.</p>` : newJobForm(projectIds)}
      <h2>Jobs</h2>
      ${
        jobs.length === 0
          ? html`<p class="quiet">None yet. Jobs created here or through the API are listed here.</p>`
          : html`<ul class="list">
              ${jobs.slice(0, shownJobs).map(jobRow)}
            </ul>`
      }
      ${jobs.length > shownJobs ? html`<p class="quiet">The newest ${shownJobs} of ${jobs.length}.</p>` : ''}
      <h2>Repositories</h2>
      <ul class="list">
        ${projectIds.map((projectId) => html`<li><a href="/docket/${projectId}">docket/${projectId}</a></li>`)}
      </ul>
    `,
  )

const newJobForm = (projectIds: readonly string[]): Markup =>
  html`<form class="panel" method="post" action="/jobs">
    <h2>New agent job</h2>
    <p class="quiet">
      The built-in runner works on a copy of the project’s documentation and opens a pull request when files changed. It
      calls no model; it knows these steps, one a line:
    </p>
    <ul class="usages">
      ${recipeUsages.map((usage) => html`<li><code>${usage}</code></li>`)}
    </ul>
    <label for="projectId">Project</label>
    <select id="projectId" name="projectId">
      ${projectIds.map((projectId) => html`<option>${projectId}</option>`)}
    </select>
    <label for="prompt">Prompt</label>
    <textarea id="prompt" name="prompt" rows="4" required maxlength="10000" spellcheck="false"></textarea>
    <button>Create job</button>
  </form>`

const headlineOf = (job: AgentJobRecord) => cut(job.turns[0]!.prompt.split('\n')[0]!.trim(), 80)

const jobRow = (job: AgentJobRecord): Markup =>
  html`<li>
    ${statusBadge(job.status)}
    <a href="/jobs/${job.projectId}/${job.id}">${headlineOf(job)}</a>
    <span class="quiet end">${job.projectId} · ${time(job.createdAt)}</span>
  </li>`

/** One agent job: how it is, and what to paste into Docket to follow it. */
export const agentJobPage = (job: AgentJobRecord): Markup => {
  const repository = `/docket/${job.projectId}`
  return page(
    headlineOf(job),
    html`
      <p role="status" data-live="status">${statusBadge(job.status)} <span class="quiet">${progressOf(job)}</span></p>
      <div data-live="result">
        ${
          job.pullRequest === null || job.pullRequest.url === null
            ? ''
            : html`<p class="panel">
                <a href="${job.pullRequest.url}">Pull request #${job.pullRequest.number}</a> in
                <a href="${repository}">docket/${job.projectId}</a>
              </p>`
        }
        ${job.turns.map(reportOf)} ${job.status === 'completed' || job.status === 'failed' ? archiveForm(job) : ''}
      </div>
      <h2>Follow it in Docket</h2>
      <p class="quiet">Paste this line under Agent jobs:</p>
      <pre class="panel" tabindex="0" role="region" aria-label="Line to follow the job">${job.projectId} ${job.id}</pre>
      <h2>${job.turns.length === 1 ? 'Prompt' : 'Messages'}</h2>
      ${job.turns.map(({ prompt }, index) => html`<pre class="panel wrap" tabindex="0" role="region" aria-label="${index === 0 ? 'Prompt' : `Message ${index + 1}`}">${prompt}</pre>`)}
      <h2>Details</h2>
      <dl>
        <dt>Branch</dt>
        <dd><code>${branchOf(job)}</code></dd>
        <dt>Model</dt>
        <dd>${job.model}</dd>
        <dt>Created</dt>
        <dd>${time(job.createdAt)}</dd>
      </dl>
    `,
    { live: job.status === 'active', up: html`<a href="/">Agent jobs</a>` },
  )
}

const reportOf = ({ report }: Turn, index: number): Markup | '' =>
  report.length === 0
    ? ''
    : html`<h2>Report${index === 0 ? '' : ` on message ${index + 1}`}</h2>
        <div class="panel text">${report.map((line) => html`<div>${line}</div>`)}</div>`

const progressOf = (job: AgentJobRecord): Markup => {
  if (job.archivedAt !== null) return html`since ${time(job.archivedAt)}`
  const { startedAt, finishedAt } = job.turns.find(({ outcome }) => outcome === null) ?? job.turns.at(-1)!
  if (finishedAt !== null) return html`finished ${time(finishedAt)}`
  return startedAt === null ? html`waits for its turn` : html`started ${time(startedAt)}`
}

const archiveForm = (job: AgentJobRecord): Markup =>
  html`<form method="post" action="/jobs/${job.projectId}/${job.id}/archive">
    <button class="plain">Archive job</button>
  </form>`
