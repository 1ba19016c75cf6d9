import { z } from 'zod'
import { ChangeNote } from '#ground/list.ts'
import {
  AgentJob,
  AgentJobChecks,
  AgentJobCsvQuery,
  AgentJobFilters,
  AgentJobList,
  AgentJobListQuery,
  AgentJobLog,
  AgentJobLogQuery,
  FollowAgentJobs,
  FollowAgentJobsResult,
  ListedAgentJobs,
  ListedAgentJobsQuery,
  MarkPullRequest,
} from './agent-jobs.ts'
import {
  AgentPromptList,
  AttachAgentJob,
  CreateAgentJob,
  RetryAgentJob,
  SendAgentMessage,
  SentAgentPrompt,
} from './agent-prompts.ts'
import { Changes } from './changes.ts'
import { ChangePrompt, RunPrompt, SavePrompt, SavedPrompt, SavedPromptRun, SavedPrompts } from './saved-prompts.ts'
import { ConnectionQuery, TreatStatus } from '#service/connections.ts'
import { History } from '#service/history.ts'
import {
  operator,
  operatorInScope,
  operatorOfRecord,
  prompter,
  prompterInScope,
  prompterOfRecord,
  viewer,
  viewerInScope,
  viewerOfRecord,
} from '#ground/route.ts'

export const agentJobRoutes = {
  'GET /api/agent-jobs': viewerInScope('Agent jobs on the list, filtered and sorted, in pages', 'A page of jobs.', {
    query: AgentJobListQuery,
    response: AgentJobList,
  }),
  'POST /api/agent-jobs': operatorInScope(
    'Add agent jobs by job ID; each is read once from the Admin API first',
    'What became of each, in the order asked.',
    { body: FollowAgentJobs, response: FollowAgentJobsResult, audit: 'agent_job.followed' },
  ),
  'GET /api/agent-jobs/checks': viewerInScope(
    'When the jobs on a page of the list were and will be checked; the query is that of the page',
    'The checks, in the order of the page.',
    { query: AgentJobListQuery, response: AgentJobChecks },
  ),
  'GET /api/agent-jobs/export.csv': viewerInScope(
    'All agent jobs that match the filters of the list, as CSV',
    'The file, in the order of the list.',
    { query: AgentJobCsvQuery, files: { 'text/csv': z.string() }, page: '/agent-jobs' },
  ),
  'GET /api/agent-jobs/filters': viewerInScope('What the list of agent jobs can be filtered by', 'Values to suggest.', {
    query: ConnectionQuery,
    response: AgentJobFilters,
  }),
  // Needs the right to add jobs, because it calls the service.
  'GET /api/agent-jobs/listed': operatorInScope(
    'The jobs of a project as the service itself lists them, where an admin switched that on; makes one call',
    'A page of jobs, in the order of the service.',
    { query: ListedAgentJobsQuery, response: ListedAgentJobs },
  ),
  'GET /api/agent-jobs/{projectId}/{id}': viewerOfRecord('One agent job on the list', 'Its last known state.', {
    query: ConnectionQuery,
    response: AgentJob,
  }),
  'PATCH /api/agent-jobs/{projectId}/{id}': operatorOfRecord('Change the note of an agent job', 'The job.', {
    query: ConnectionQuery,
    body: ChangeNote,
    response: AgentJob,
    audit: 'agent_job.note_changed',
  }),
  'DELETE /api/agent-jobs/{projectId}/{id}': operatorOfRecord(
    'Remove an agent job from the list',
    'It is no longer on the list; `restore` takes this back.',
    { query: ConnectionQuery, audit: 'agent_job.removed' },
  ),
  'GET /api/agent-jobs/{projectId}/{id}/history': viewerOfRecord(
    'What happened to an agent job, as far as it was observed',
    'The latest events, oldest first.',
    { query: ConnectionQuery, response: History },
  ),
  'POST /api/agent-jobs/{projectId}/{id}/restore': operatorOfRecord(
    'Put a removed agent job back on the list, without asking the Admin API',
    'Its last known state.',
    { query: ConnectionQuery, response: AgentJob, audit: 'agent_job.restored' },
  ),
  'POST /api/agent-jobs/{projectId}/{id}/dismiss': operatorOfRecord(
    'Say that an agent job needs no attention',
    'The job; its state stays.',
    { query: ConnectionQuery, response: AgentJob, audit: 'agent_job.dismissed' },
  ),
  'DELETE /api/agent-jobs/{projectId}/{id}/dismiss': operatorOfRecord(
    'Undo a dismissal',
    'The job; it needs attention again.',
    { query: ConnectionQuery, response: AgentJob, audit: 'agent_job.dismissal_undone' },
  ),
  'POST /api/agent-jobs/{projectId}/{id}/check': operatorOfRecord(
    'Read an agent job from the Admin API now',
    'Its state now; `checkFailure` says when the read failed.',
    { query: ConnectionQuery, response: AgentJob, audit: 'agent_job.checked' },
  ),
  'GET /api/agent-jobs/{projectId}/{id}/log': viewerOfRecord(
    'What the agent printed, in parts; makes one call, on this machine only',
    'The part from the offset on.',
    { query: AgentJobLogQuery, response: AgentJobLog },
  ),
  'GET /api/agent-jobs/{projectId}/{id}/changes': viewerOfRecord(
    'The commits and the diff of an agent job of this machine',
    'What the branch of the job changes.',
    { query: ConnectionQuery, response: Changes },
  ),
  'POST /api/agent-jobs/{projectId}/{id}/cancel': operatorOfRecord(
    'Cancel a waiting or working agent job, where the service can; `actions` of the job says why it can’t',
    'The job.',
    { query: ConnectionQuery, response: AgentJob, audit: 'agent_job.cancelled' },
  ),
  'POST /api/agent-jobs/{projectId}/{id}/treat-as': operator(
    'Say what a status means that Docket doesn’t know, for this and later records of the connection',
    'The job, read again.',
    { query: ConnectionQuery, body: TreatStatus, response: AgentJob, audit: 'agent_job.treated_as' },
  ),
  'POST /api/agent-jobs/{projectId}/{id}/archive': operatorOfRecord(
    'Archive an agent job at the service, where that is possible',
    'The job.',
    { query: ConnectionQuery, response: AgentJob, audit: 'agent_job.archived' },
  ),
  'POST /api/agent-jobs/{projectId}/{id}/retry': prompterOfRecord(
    'Send the latest prompt of an agent job again, where that is allowed; the same requestId never sends it twice',
    'What became of the message, and the job.',
    { query: ConnectionQuery, body: RetryAgentJob, response: SentAgentPrompt, status: 201, audit: 'agent_job.retried' },
  ),
  'POST /api/agent-jobs/{projectId}/{id}/pull-request': operatorOfRecord(
    'Say what became of the pull request of an agent job, where neither the service nor the code host tells it',
    'The job.',
    { query: ConnectionQuery, body: MarkPullRequest, response: AgentJob, audit: 'agent_job.pull_request_marked' },
  ),
  'GET /api/agent-jobs/{projectId}/{id}/prompts': viewerOfRecord(
    'What people sent to an agent job from Docket',
    'The latest 500, oldest first.',
    { query: ConnectionQuery, response: AgentPromptList },
  ),
  'POST /api/agent-jobs/{projectId}/{id}/messages': prompterOfRecord(
    'Send a follow-up message to an agent job, where that is allowed; the same requestId never sends it twice',
    'What became of the message, and the job.',
    {
      query: ConnectionQuery,
      body: SendAgentMessage,
      response: SentAgentPrompt,
      status: 201,
      audit: 'agent_job.message_sent',
    },
  ),
  // A job is created in a project, so a token restricted to that project may create it.
  'GET /api/agent-prompts': viewerInScope(
    'Requests for agent jobs that are under way, or whose outcome is unknown',
    'The latest 20, newest first.',
    { query: ConnectionQuery, response: AgentPromptList },
  ),
  'POST /api/agent-prompts': operatorInScope(
    'Create an agent job, where that is allowed; the same requestId never creates a second one',
    'What became of the prompt, also when the service refused it (`refused`) or did not answer (`unknown`); and the job, which is on the list.',
    {
      body: CreateAgentJob,
      response: SentAgentPrompt,
      status: 201,
      audit: ['agent_job.created', 'agent_job.requested'],
    },
  ),
  'GET /api/saved-prompts': viewer('Prompts that the team keeps', 'The prompts by title.', { response: SavedPrompts }),
  'POST /api/saved-prompts': prompter(
    'Save a prompt under a title, with placeholders such as {{page}}',
    'The prompt.',
    { body: SavePrompt, response: SavedPrompt, status: 201, audit: 'saved_prompt.created' },
  ),
  'PATCH /api/saved-prompts/{promptId}': prompter(
    'Change the title or text of a saved prompt; refused when somebody changed it meanwhile',
    'The prompt.',
    { body: ChangePrompt, response: SavedPrompt, audit: 'saved_prompt.changed' },
  ),
  'DELETE /api/saved-prompts/{promptId}': prompter('Delete a saved prompt', 'It is deleted.', {
    audit: 'saved_prompt.deleted',
  }),
  'POST /api/saved-prompts/{promptId}/runs': prompterInScope(
    'Fill in a saved prompt and create an agent job in each project; the same requestId never creates a second one there',
    'What became of it in each project, also where it was refused.',
    {
      body: RunPrompt,
      response: SavedPromptRun,
      audit: ['agent_job.created', 'agent_job.requested', 'saved_prompt.run'],
    },
  ),
  'DELETE /api/agent-prompts/{requestId}': operatorInScope(
    'Take a request that was never answered off the list; the service is not told',
    'It is no longer listed; `restore` takes this back.',
    { audit: 'agent_job.request_forgotten' },
  ),
  'POST /api/agent-prompts/{requestId}/attach': operatorInScope(
    'Give a request that was never answered the job that a person found; it is read from the Admin API first',
    'The prompt and its job, which is on the list.',
    { body: AttachAgentJob, response: SentAgentPrompt, audit: 'agent_job.attached' },
  ),
  'POST /api/agent-prompts/{requestId}/restore': operatorInScope(
    'Put a forgotten request back on the list',
    'The prompt.',
    { response: SentAgentPrompt, audit: 'agent_job.request_restored' },
  ),
}
