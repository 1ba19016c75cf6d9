import { html } from 'hono/html'
import { conflictSentence, type Action } from '#embedded/pull-requests/actions.ts'
import type { Commits } from '#embedded/pull-requests/commits.ts'
import type { Diff } from '#embedded/pull-requests/diff.ts'
import type { Mergeability } from '#embedded/pull-requests/mergeability.ts'
import type { PullRequest } from '#embedded/pull-requests/pull-requests.ts'
import { renderChanges } from './changes.ts'
import { commitList } from './commit.page.ts'
import { page, statusBadge, time, type Markup } from './layout.ts'
import { reveal, renderText } from './text.ts'

/** Content of a pull request's page. `mergeability` is null unless it is open; `jobId` unless an agent job works on the branch. */
export type PullRequestView = {
  projectId: string
  pull: PullRequest
  commits: Commits
  diff: Diff
  mergeability: Mergeability | null
  jobId: string | null
}

/** One pull request: description, actions, commits and changes. */
export const pullRequestPage = (view: PullRequestView): Markup => {
  const { projectId, pull, commits, diff, jobId } = view
  return page(
    `${reveal(pull.title)} #${pull.number}`,
    html`
      <p>
        ${statusBadge(pull.state)}
        <span class="quiet">
          <code>${reveal(pull.branch)}</code> into <code>main</code> · opened ${time(pull.openedAt)}
          ${jobId === null ? '' : html` by <a href="/jobs/${projectId}/${jobId}">its agent job</a>`}
        </span>
      </p>
      ${pull.body === '' ? '' : renderText(pull.body)} ${decision(view)} ${renderCommits(projectId, commits)}
      ${renderChanges(diff)}
    `,
    { up: html`<a href="/docket/${projectId}">docket/${projectId}</a>` },
  )
}

const renderCommits = (projectId: string, { commits, total }: Commits): Markup =>
  html`<h2>Commits <span class="quiet">${total.toLocaleString('en-US')}</span></h2>
    ${total === 0 ? html`<p class="panel quiet">The main branch has all of them.</p>` : commitList(projectId, commits)}
    ${total > commits.length ? html`<p class="quiet">The newest ${commits.length} of them.</p>` : ''}`

const decision = ({ projectId, pull, mergeability }: PullRequestView): Markup => {
  const button = (action: Action, label: string, kind = 'plain') =>
    html`<form method="post" action="/docket/${projectId}/pulls/${pull.number}/${action}">
      <input type="hidden" name="head" value="${pull.head}" />
      <button class="${kind}">${label}</button>
    </form>`
  const { branchHead } = pull
  const deleteBranch = branchHead === pull.head ? button('delete-branch', 'Delete the branch') : ''
  const later = branchHead === null || branchHead === pull.head ? '' : ' The branch has newer commits since.'
  const on = pull.endedAt === null ? '' : html` on ${time(pull.endedAt)}`
  if (pull.state === 'merged')
    return html`<section class="panel decision" aria-label="State">
      <p>Merged into <code>main</code>${on}.${branchHead === null ? ' The branch is deleted.' : later}</p>
      <div class="buttons">${deleteBranch}</div>
    </section>`
  if (pull.state === 'closed')
    return html`<section class="panel decision" aria-label="State">
      <p>
        Closed without a merge${on}.${branchHead === null ? ' The branch is deleted; reopening brings it back.' : later}
      </p>
      <div class="buttons">${button('reopen', 'Reopen')} ${deleteBranch}</div>
    </section>`
  const canMerge = mergeability?.kind === 'fast-forward' || mergeability?.kind === 'merge'
  return html`<section class="panel decision" aria-label="State">
    <p class="${canMerge ? '' : 'problem'}">${mergeability === null ? '' : mergeSentence(mergeability)}</p>
    <div class="buttons">${canMerge ? button('merge', 'Merge', '') : ''} ${button('close', 'Close')}</div>
  </section>`
}

const mergeSentence = (found: Mergeability): string => {
  if (found.kind === 'fast-forward') return 'Ready to merge. The main branch moves to its last commit.'
  if (found.kind === 'merge') return 'Ready to merge. The main branch has newer commits, but no conflict.'
  if (found.kind === 'impossible') return found.sentence
  const where = conflictSentence(found.files.map(reveal)).replace(' Nothing was merged.', '')
  return `${where} Close it, delete its branch, and send the job a message: it starts from the main branch then.`
}

/** Tells why an action changed nothing. */
export const refusedPage = (projectId: string, pull: PullRequest, sentence: string): Markup =>
  page(
    'Nothing changed',
    html`<p class="panel problem" role="alert">${reveal(sentence)}</p>
      <p><a href="/docket/${projectId}/pulls/${pull.number}">Open #${pull.number} again</a></p>`,
    { up: html`<a href="/docket/${projectId}">docket/${projectId}</a>` },
  )
