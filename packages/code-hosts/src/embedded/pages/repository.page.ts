import { html } from 'hono/html'
import type { PullRequest } from '#embedded/pull-requests/pull-requests.ts'
import { page, statusBadge, time, wayBack, type Markup } from './layout.ts'
import { reveal } from './text.ts'

/** Which pull requests a list shows. */
export const pullFilters = ['open', 'merged', 'closed', 'all'] as const
export type PullFilter = (typeof pullFilters)[number]

const perPage = 50

/** One repository: how to clone it, and its pull requests, `perPage` at a time from `from` on. */
export const repositoryPage = (
  projectId: string,
  pulls: readonly PullRequest[],
  { filter, from, origin }: { filter: PullFilter; from: number; origin: string },
): Markup => {
  const filterPulls = (which: PullFilter) => pulls.filter(({ state }) => which === 'all' || state === which)
  const found = filterPulls(filter)
  const rows = found.slice(from, from + perPage)
  const link = (which: PullFilter, first = 0) =>
    `/docket/${projectId}?state=${which}${first > 0 ? `&from=${first}` : ''}`
  return page(
    `docket/${projectId}`,
    html`
      <p class="quiet">The documentation as it was when the project was first used, with what was merged since.</p>
      <pre class="panel wrap">git clone ${origin}/docket/${projectId}.git</pre>
      <h2>Pull requests</h2>
      <nav class="tabs" aria-label="Pull requests by state">
        ${pullFilters.map(
          (which) =>
            html`<a href="${link(which)}" ${which === filter ? html` aria-current="page"` : ''}
              >${which[0]!.toUpperCase() + which.slice(1)} <span class="quiet">${filterPulls(which).length}</span></a
            >`,
        )}
      </nav>
      ${
        rows.length === 0
          ? html`<p class="panel quiet">
              ${pulls.length === 0 ? 'None yet. An agent job that changes files opens one.' : `None ${filter === 'all' ? 'here' : filter}.`}
            </p>`
          : html`<ul class="list">
              ${rows.map((pull) => pullRow(projectId, pull))}
            </ul>`
      }
      <p>
        ${from > 0 ? html`<a href="${link(filter, Math.max(0, from - perPage))}">Newer</a>` : ''}
        ${found.length > from + perPage ? html`<a href="${link(filter, from + perPage)}">Older</a>` : ''}
      </p>
    `,
    { up: wayBack },
  )
}

const pullRow = (projectId: string, pull: PullRequest): Markup =>
  html`<li>
    ${statusBadge(pull.state)}
    <span
      ><span class="quiet">#${pull.number}</span>
      <a href="/docket/${projectId}/pulls/${pull.number}">${reveal(pull.title)}</a></span
    >
    <span class="quiet end">${time(pull.openedAt)}</span>
  </li>`
