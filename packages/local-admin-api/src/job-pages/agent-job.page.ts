import { page, statusBadge, time, type Markup } from '@docket/code-hosts/embedded/pages/layout'
import { reveal } from '@docket/code-hosts/embedded/pages/text'
import { cut } from '@docket/sources/text'
import { html } from 'hono/html'
import { toBranch, type AgentJobRecord, type Turn } from '#agent-jobs/agent-job.ts'

/** First line of the first message, short enough for a list. */
export const formatHeadline = (job: AgentJobRecord): string =>
  reveal(cut(job.turns[0]!.prompt.split('\n')[0]!.trim(), 80))

/** A repository's address as a link where a browser can open it. */
export const renderRepository = (url: string): Markup => {
  if (url.startsWith('/docket/')) return html`<a href="${url}">${url.slice(1)}</a>`
  return /^https?:/.test(url) ? html`<a href="${url}" rel="noreferrer">${url}</a>` : html`<code>${url}</code>`
}

/** One agent job: status, prompts, reports, and the reference that follows it in Docket. */
export const agentJobPage = (job: AgentJobRecord, repositoryUrl: string | null): Markup =>
  page(
    formatHeadline(job),
    html`
      <p role="status" data-live="status">${statusBadge(job.status)} <span class="quiet">${toProgress(job)}</span></p>
      <div data-live="result">
        ${job.pullRequest === null ? '' : pullRequestPanel(job.pullRequest, repositoryUrl)}
        <h2>${job.turns.length === 1 ? 'Prompt and report' : 'Messages and reports'}</h2>
        <ol class="turns">
          ${job.turns.map(renderTurn)}
        </ol>
      </div>
      ${job.status === 'archived' ? '' : messageForm(job)}
      ${job.status === 'completed' || job.status === 'failed' ? archiveForm(job) : ''}
      <h2>Follow it in Docket</h2>
      <p class="quiet">Paste this line under Agent jobs:</p>
      <pre class="panel" tabindex="0" role="region" aria-label="Line to follow the job">${job.projectId} ${job.id}</pre>
      <h2>Details</h2>
      <dl>
        <dt>Repository</dt>
        <dd>
          ${repositoryUrl === null ? html`<span class="quiet">the project is no longer configured</span>` : renderRepository(repositoryUrl)}
        </dd>
        <dt>Branch</dt>
        <dd><code>${toBranch(job)}</code></dd>
        <dt>Model</dt>
        <dd>${job.model}</dd>
        <dt>Created</dt>
        <dd>${time(job.createdAt)}</dd>
      </dl>
    `,
    { live: job.status === 'active', up: html`<a href="/">Agent jobs</a>` },
  )

const pullRequestPanel = (
  { number, url }: NonNullable<AgentJobRecord['pullRequest']>,
  repositoryUrl: string | null,
): Markup =>
  html`<p class="panel">
    ${url === null ? html`Pull request #${number}` : html`<a href="${url}" rel="noreferrer">Pull request #${number}</a>`}
    ${repositoryUrl === null ? '' : html` in ${renderRepository(repositoryUrl)}`}
  </p>`

const renderTurn = (turn: Turn, index: number): Markup =>
  html`<li>
    <p class="quiet">${index === 0 ? 'Prompt' : 'Message'} · ${time(turn.sentAt)} · ${turnState(turn)}</p>
    <pre class="panel wrap" tabindex="0" role="region" aria-label="${index === 0 ? 'Prompt' : `Message ${index + 1}`}">
${reveal(turn.prompt)}</pre>
    ${
      turn.report.length === 0
        ? ''
        : html`<div class="panel text report${turn.outcome === 'failed' ? ' problem' : ''}">
            ${turn.report.map((line) => html`<div>${reveal(line)}</div>`)}
          </div>`
    }
  </li>`

const turnState = ({ outcome, startedAt }: Turn): string => {
  if (outcome !== null) return outcome
  return startedAt === null ? 'queued' : 'working'
}

const toProgress = (job: AgentJobRecord): Markup => {
  if (job.archivedAt !== null) return html`since ${time(job.archivedAt)}`
  const { startedAt, finishedAt } = job.turns.find(({ outcome }) => outcome === null) ?? job.turns.at(-1)!
  if (finishedAt !== null) return html`finished ${time(finishedAt)}`
  return startedAt === null ? html`queued` : html`started ${time(startedAt)}`
}

const messageForm = (job: AgentJobRecord): Markup =>
  html`<form class="panel" method="post" action="/jobs/${job.projectId}/${job.id}/message">
    <label for="prompt">Send a follow-up</label>
    <p class="quiet">Continues in the same branch.</p>
    <textarea id="prompt" name="prompt" rows="3" required maxlength="10000" spellcheck="false"></textarea>
    <button>Send</button>
  </form>`

const archiveForm = (job: AgentJobRecord): Markup =>
  html`<form method="post" action="/jobs/${job.projectId}/${job.id}/archive">
    <button class="plain">Archive job</button>
  </form>`
