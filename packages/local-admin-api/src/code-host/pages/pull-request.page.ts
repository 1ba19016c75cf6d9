import { html } from 'hono/html'
import { changesShown, visible } from '#code-host/pages/changes.ts'
import { commitList } from '#code-host/pages/commit.page.ts'
import { counted, page, statusBadge, time, type Markup } from '#code-host/pages/layout.ts'
import { conflictSentence, type Action } from '#code-host/pull-requests/actions.ts'
import type { Commit } from '#code-host/pull-requests/commits.ts'
import type { Diff } from '#code-host/pull-requests/diff.ts'
import type { Mergeability } from '#code-host/pull-requests/mergeability.ts'
import type { PullRequest } from '#code-host/pull-requests/pull-requests.ts'

/** What the page of a pull request shows. `mergeability` is null unless it is open, `jobId` unless an agent job works on the branch. */
export type PullRequestView = {
  projectId: string
  pull: PullRequest
  commits: readonly Commit[]
  diff: Diff
  mergeability: Mergeability | null
  jobId: string | null
}

/** One pull request: what it says, what may be done with it, its commits, and the changes. */
export const pullRequestPage = (view: PullRequestView): Markup => {
  const { projectId, pull, commits, diff, jobId } = view
  return page(
    `${visible(pull.title)} #${pull.number}`,
    html`
      <p>
        ${statusBadge(pull.state)}
        <span class="quiet">
          <code>${pull.branch}</code> into <code>main</code> · opened ${time(pull.openedAt)}
          ${jobId === null ? '' : html` by <a href="/jobs/${projectId}/${jobId}">its agent job</a>`}
        </span>
      </p>
      ${pull.body === '' ? '' : html`<div class="panel text">${pull.body.split('\n').map((line) => html`<div>${visible(line)}</div>`)}</div>`}
      ${decision(view)}
      <h2>Commits <span class="quiet">${counted(commits.length, 'commit')}</span></h2>
      ${commits.length === 0 ? html`<p class="quiet">The main branch has all of them.</p>` : commitList(projectId, commits)}
      ${changesShown(diff)}
    `,
    { up: html`<a href="/docket/${projectId}">docket/${projectId}</a>` },
  )
}

const decision = ({ projectId, pull, mergeability }: PullRequestView): Markup => {
  const button = (action: Action, label: string, kind = 'plain') =>
    html`<form method="post" action="/docket/${projectId}/pulls/${pull.number}/${action}">
      <input type="hidden" name="head" value="${pull.head}" />
      <button class="${kind}">${label}</button>
    </form>`
  const deleteBranch = pull.branchExists ? button('delete-branch', 'Delete the branch') : ''
  const on = pull.endedAt === null ? '' : html` ${time(pull.endedAt)}`
  if (pull.state === 'merged')
    return html`<section class="panel decision" aria-label="State">
      <p>Merged into <code>main</code>${on}.${pull.branchExists ? '' : ' The branch is deleted.'}</p>
      <div class="buttons">${deleteBranch}</div>
    </section>`
  if (pull.state === 'closed')
    return html`<section class="panel decision" aria-label="State">
      <p>Closed without a merge${on}.${pull.branchExists ? '' : ' The branch is deleted; reopening brings it back.'}</p>
      <div class="buttons">${button('reopen', 'Reopen')} ${deleteBranch}</div>
    </section>`
  const canMerge = mergeability?.kind === 'fast-forward' || mergeability?.kind === 'merge'
  return html`<section class="panel decision" aria-label="State">
    <p class="${canMerge ? '' : 'problem'}">${mergeability === null ? '' : mergeSentence(mergeability)}</p>
    <div class="buttons">${canMerge ? button('merge', 'Merge', '') : ''} ${button('close', 'Close')}</div>
  </section>`
}

const mergeSentence = (found: Mergeability): string => {
  if (found.kind === 'fast-forward') return 'It can be merged: the main branch moves on to its last commit.'
  if (found.kind === 'merge') return 'It can be merged: the main branch has moved on, and there is no conflict.'
  if (found.kind === 'impossible') return found.sentence
  const where = conflictSentence(found.files.map(visible)).replace(' Nothing was merged.', '')
  return `${where} Send the job a message to start from the main branch again, or merge it in a clone.`
}

/** Tells why an action changed nothing. */
export const refusedPage = (projectId: string, pull: PullRequest, sentence: string): Markup =>
  page(
    'Nothing was changed',
    html`<p class="panel problem" role="alert">${visible(sentence)}</p>
      <p><a href="/docket/${projectId}/pulls/${pull.number}">Look at #${pull.number} as it is now</a></p>`,
    { up: html`<a href="/docket/${projectId}">docket/${projectId}</a>` },
  )
