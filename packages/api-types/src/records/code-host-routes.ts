import {
  ActOnPull,
  CodeHostCommit,
  CodeHostFolder,
  CodeHostProjects,
  CodeHostPull,
  CodeHostPulls,
  CodeHostPullsQuery,
  UpdateFolder,
} from './code-host.ts'
import { operatorInScope, viewerInScope } from '#ground/route.ts'

export const codeHostRoutes = {
  'GET /api/code-host': viewerInScope('Projects whose repository the embedded code host keeps', 'The projects.', {
    response: CodeHostProjects,
  }),
  'GET /api/code-host/{projectId}': viewerInScope(
    'Pull requests of a project on the embedded code host',
    'A page of pull requests, newest first.',
    { query: CodeHostPullsQuery, response: CodeHostPulls },
  ),
  'POST /api/code-host/{projectId}/folder': operatorInScope(
    'Write the main branch into the folder of a project',
    'The folder as it is now.',
    { body: UpdateFolder, response: CodeHostFolder, audit: 'code_host.folder_updated' },
  ),
  'GET /api/code-host/{projectId}/commits/{hash}': viewerInScope('One commit with its changes', 'The commit.', {
    response: CodeHostCommit,
  }),
  'GET /api/code-host/{projectId}/pulls/{number}': viewerInScope(
    'One pull request with its commits and changes',
    'The pull request.',
    { response: CodeHostPull },
  ),
  'POST /api/code-host/{projectId}/pulls/{number}/merge': operatorInScope(
    'Merge a pull request into the main branch',
    'The pull request as it is now.',
    { body: ActOnPull, response: CodeHostPull, audit: 'pull_request.merged' },
  ),
  'POST /api/code-host/{projectId}/pulls/{number}/close': operatorInScope(
    'Close a pull request without a merge',
    'The pull request as it is now.',
    { body: ActOnPull, response: CodeHostPull, audit: 'pull_request.closed' },
  ),
  'POST /api/code-host/{projectId}/pulls/{number}/reopen': operatorInScope(
    'Open a closed pull request again, with all commits of its branch',
    'The pull request as it is now.',
    { body: ActOnPull, response: CodeHostPull, audit: 'pull_request.reopened' },
  ),
  'POST /api/code-host/{projectId}/pulls/{number}/delete-branch': operatorInScope(
    'Delete the branch of a merged or closed pull request, whose commits stay',
    'The pull request as it is now.',
    { body: ActOnPull, response: CodeHostPull, audit: 'pull_request.branch_deleted' },
  ),
}
