import { html } from 'hono/html'
import { cut } from '#agent-jobs/step.ts'
import { filesOfDiff, type DiffFile } from '#code-host/diff.ts'
import { page, time, type Markup } from '#code-host/layout.ts'
import type { Commit, PullRequest } from '#code-host/pull-requests.ts'

/** Lines of all files together, and characters of one line; more than that is read better in a clone. */
const shown = { lines: 5000, columns: 2000 }

/** One pull request: what it says, its commits, and the changes. */
export const pullRequestPage = (
  projectId: string,
  pull: PullRequest,
  commits: readonly Commit[],
  diff: string,
): Markup => {
  const files = filesOfDiff(diff)
  return page(
    `${pull.title} #${pull.number}`,
    html`
      <p class="quiet">Open · <code>${pull.branch}</code> into <code>main</code> · ${time(pull.openedAt)}</p>
      <div class="panel text">${pull.body.split('\n').map((line) => html`<div>${line}</div>`)}</div>
      <h2>Commits</h2>
      <ul class="list">
        ${commits.map(
          (commit) =>
            html`<li>
              <code>${commit.hash.slice(0, 10)}</code><span>${commit.subject}</span>
              <span class="quiet end">${commit.author} · ${time(commit.at)}</span>
            </li>`,
        )}
      </ul>
      <h2>Changes <span class="quiet">in ${files.length} ${files.length === 1 ? 'file' : 'files'}</span></h2>
      ${filesShown(files)}
    `,
    { up: html`<a href="/docket/${projectId}">docket/${projectId}</a>` },
  )
}

const filesShown = (files: readonly DiffFile[]): Markup[] => {
  let left = shown.lines
  return files.map((file) => {
    const lines = file.lines.slice(0, left)
    left -= lines.length
    return fileShown(file, lines)
  })
}

const fileShown = ({ path, note, lines: all }: DiffFile, lines: DiffFile['lines']): Markup =>
  html`<section class="panel file">
    <h3><code>${path}</code>${note === '' ? '' : html` <span class="quiet">${note}</span>`}</h3>
    ${
      lines.length === 0
        ? ''
        : html`<pre tabindex="0" role="region" aria-label="Changes in ${path}"><code>${lines.map(
            ({ kind, text }) => html`<span class="${kind}">${cut(text, shown.columns)}</span>`,
          )}</code></pre>`
    }
    ${
      all.length > lines.length
        ? html`<p class="quiet">${all.length - lines.length} more lines: clone the repository to see them.</p>`
        : ''
    }
  </section>`
