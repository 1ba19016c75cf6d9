import { html } from 'hono/html'
import { page, time, type Markup } from '#code-host/layout.ts'
import type { PullRequest } from '#code-host/pull-requests.ts'

/** One repository: how to clone it, and its pull requests. */
export const repositoryPage = (projectId: string, pulls: readonly PullRequest[], origin: string): Markup =>
  page(
    `docket/${projectId}`,
    html`
      <p class="quiet">The documentation as it was when the project was first used, and what agents propose.</p>
      <pre class="panel" tabindex="0" role="region" aria-label="Clone command">
git clone ${origin}/docket/${projectId}.git</pre>
      <h2>Pull requests</h2>
      ${
        pulls.length === 0
          ? html`<p class="quiet">None yet. An agent job that changes files opens one.</p>`
          : html`<ul class="list">
              ${pulls.map(
                (pull) =>
                  html`<li>
                    <span class="quiet">#${pull.number}</span>
                    <a href="/docket/${projectId}/pulls/${pull.number}">${pull.title}</a>
                    <span class="quiet end">${time(pull.openedAt)}</span>
                  </li>`,
              )}
            </ul>`
      }
    `,
    { up: html`<a href="/">Repositories</a>` },
  )
