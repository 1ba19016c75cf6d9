import { html } from 'hono/html'
import { page, time, type Markup } from '#code-host/layout.ts'
import type { Commit, PullRequest } from '#code-host/pull-requests.ts'

const shownLines = 5000

/** One pull request: what it says, its commits, and the changes. */
export const pullRequestPage = (
  projectId: string,
  pull: PullRequest,
  commits: readonly Commit[],
  diff: string,
): Markup => {
  const lines = diff.split('\n')
  return page(
    `${pull.title} #${pull.number}`,
    html`
      <p class="quiet">
        Open · <code>${pull.branch}</code> into <code>main</code> of
        <a href="/docket/${projectId}">docket/${projectId}</a>
        · ${time(pull.openedAt)}
      </p>
      <div class="panel">${pull.body.split('\n').map((line) => html`<div>${line}</div>`)}</div>
      <h2>Commits</h2>
      <ul class="list">
        ${commits.map(
          (commit) =>
            html`<li>
              <code>${commit.hash.slice(0, 10)}</code><span>${commit.subject}</span>
              <span class="quiet">${commit.author}, ${time(commit.at)}</span>
            </li>`,
        )}
      </ul>
      <h2>Changes</h2>
      <pre class="panel diff" tabindex="0" role="region" aria-label="Changes">
${lines.slice(0, shownLines).map((line) => html`<span class="${kindOf(line)}">${line}</span>`)}</pre>
      ${
        lines.length > shownLines
          ? html`<p class="quiet">${lines.length - shownLines} more lines: clone the repository to see them.</p>`
          : ''
      }
    `,
  )
}

const kindOf = (line: string): string => {
  if (/^(diff --git|index |--- |\+\+\+ |new file|deleted file|similarity|rename )/.test(line)) return 'file'
  if (line.startsWith('@@')) return 'hunk'
  if (line.startsWith('+')) return 'added'
  return line.startsWith('-') ? 'removed' : ''
}
