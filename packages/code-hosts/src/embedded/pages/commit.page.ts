import { html } from 'hono/html'
import type { Commit, CommitSummary } from '#embedded/pull-requests/commits.ts'
import type { Diff } from '#embedded/pull-requests/diff.ts'
import { renderChanges } from './changes.ts'
import { page, time, type Markup } from './layout.ts'
import { reveal, renderText } from './text.ts'

const commitLink = (projectId: string, hash: string): Markup =>
  html`<a href="/docket/${projectId}/commits/${hash}"><code>${hash.slice(0, 10)}</code></a>`

/** Commits as a list that leads to their pages. */
export const commitList = (projectId: string, commits: readonly CommitSummary[]): Markup =>
  html`<ul class="list">
    ${commits.map(
      (commit) =>
        html`<li>
          ${commitLink(projectId, commit.hash)}<span>${reveal(commit.subject)}</span>
          <span class="quiet end">${reveal(commit.author)} · ${time(commit.at)}</span>
        </li>`,
    )}
  </ul>`

/** One commit: message, parents, and its changes against the first parent. */
export const commitPage = (projectId: string, commit: Commit, diff: Diff): Markup => {
  const [, ...rest] = commit.message.trim().split('\n')
  const body = rest.join('\n').trim()
  return page(
    commit.subject === '' ? 'Commit' : reveal(commit.subject),
    html`
      <p class="quiet">${reveal(commit.author)} · ${time(commit.at)}</p>
      ${body === '' ? '' : renderText(body)}
      <dl class="facts">
        <dt>Commit</dt>
        <dd><code>${commit.hash}</code></dd>
        <dt>${commit.parents.length > 1 ? 'Parents' : 'Parent'}</dt>
        <dd>
          ${
            commit.parents.length === 0
              ? 'none'
              : commit.parents.map((parent) => html`${commitLink(projectId, parent)} `)
          }
        </dd>
      </dl>
      ${renderChanges(diff)}
    `,
    { up: html`<a href="/docket/${projectId}">docket/${projectId}</a>` },
  )
}
