import { html } from 'hono/html'
import { repositoryUrl, type AgentJobRecord } from '#agent-jobs/agent-job.ts'
import { recipeUsages } from '#agent-jobs/recipes.ts'
import { page, time, type Markup } from '#code-host/layout.ts'

/** The first page: a form for a new agent job, the jobs so far, and the repositories. */
export const homePage = (projectIds: readonly string[], jobs: readonly AgentJobRecord[]): Markup =>
  page(
    'Agent jobs and repositories',
    html`
      <form class="panel" method="post" action="/jobs">
        <h2>New agent job</h2>
        <p class="quiet">
          The built-in runner works on a copy of the project’s documentation and opens a pull request when files
          changed. It does not call any model; it knows these steps, one a line:
        </p>
        <ul>
          ${recipeUsages.map((usage) => html`<li><code>${usage}</code></li>`)}
        </ul>
        <label for="projectId">Project</label>
        <select id="projectId" name="projectId">
          ${projectIds.map((projectId) => html`<option>${projectId}</option>`)}
        </select>
        <label for="prompt">Prompt</label>
        <textarea id="prompt" name="prompt" rows="4" required maxlength="10000"></textarea>
        <button>Create job</button>
      </form>
      <h2>Jobs</h2>
      ${
        jobs.length === 0
          ? html`<p class="quiet">None yet.</p>`
          : html`<ul class="list">
              ${jobs.slice(0, 50).map(jobRow)}
            </ul>`
      }
      <h2>Repositories</h2>
      <ul class="list">
        ${projectIds.map((projectId) => html`<li><a href="/docket/${projectId}">docket/${projectId}</a></li>`)}
      </ul>
    `,
  )

const jobRow = (job: AgentJobRecord): Markup =>
  html`<li>
    <a href="/jobs/${job.projectId}/${job.id}">${job.prompt.split('\n')[0]!.slice(0, 80)}</a>
    <span>${job.status}</span><span class="quiet">${time(job.createdAt)}</span>
  </li>`

/** One agent job: how it is, and what to paste into Docket to follow it. */
export const agentJobPage = (job: AgentJobRecord, origin: string): Markup =>
  page(
    'Agent job',
    html`
      <div class="panel">
        <p>Status: <strong>${job.status}</strong> · ${time(job.createdAt)}</p>
        <p>Paste this line into Docket, under Agent jobs, to follow it:</p>
        <pre tabindex="0" role="region" aria-label="Line to follow the job">${job.projectId} ${job.id}</pre>
        ${
          job.pullNumber === null
            ? ''
            : html`<p>
                <a href="${repositoryUrl(origin, job.projectId)}/pulls/${job.pullNumber}"
                  >Pull request #${job.pullNumber}</a
                >
              </p>`
        }
      </div>
      <h2>Prompt</h2>
      <pre class="panel" tabindex="0" role="region" aria-label="Prompt">${job.prompt}</pre>
      ${
        job.report.length === 0
          ? ''
          : html`<h2>Report</h2>
              <div class="panel">${job.report.map((line) => html`<div>${line}</div>`)}</div>`
      }
    `,
    { refresh: job.status === 'active' },
  )
