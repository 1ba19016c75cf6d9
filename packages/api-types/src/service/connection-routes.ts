import { AddCodeHost, CodeHostCheck, ConnectionCodeHost, ReplaceCodeHostToken } from './connection-code-hosts.ts'
import { ConnectionReport } from './connection.ts'
import {
  ChangeConnection,
  ConnectionList,
  ConnectionQuery,
  ConnectionSettings,
  CreateConnection,
  KeyCheck,
  MoveRecords,
  Project,
  ProjectList,
  RecordMove,
  SaveProject,
  TestConnection,
} from './connections.ts'
import { admin, operatorInScope, viewer, viewerInScope } from '#ground/route.ts'

export const connectionRoutes = {
  // Lists the next reads of every record.
  'GET /api/connection': viewer(
    'Budget, health and next calls of a connection to an Admin API',
    'Everything Docket knows about its talk with this Admin API.',
    { query: ConnectionQuery, response: ConnectionReport },
  ),
  'POST /api/connection/resume': admin(
    'End the pauses of the calls of a connection',
    'Calls are made again, until the service asks for another pause or fails again.',
    { query: ConnectionQuery, audit: 'connection.pause_ended' },
  ),
  'GET /api/connections': admin(
    'Connections with their settings, without any key',
    'Every connection that is there or has records.',
    { response: ConnectionList },
  ),
  'POST /api/connections': admin(
    'Add a connection to a service; its key is encrypted and never read back',
    'The connection.',
    { body: CreateConnection, response: ConnectionSettings, status: 201, audit: 'connection.added' },
  ),
  'POST /api/connections/test': admin(
    'Test address and key of a connection without saving it',
    'What the service made of the key.',
    { body: TestConnection, response: KeyCheck, audit: 'connection.tested' },
  ),
  'PATCH /api/connections/{connectionId}': admin(
    'Change, pause or resume a connection; a new address or new bundle hosts need the key again',
    'The connection, or the new one when the address is that of another service.',
    {
      body: ChangeConnection,
      response: ConnectionSettings,
      audit: [
        'connection.changed',
        'connection.paused',
        'connection.resumed',
        'connection.added',
        'connection.removed',
      ],
    },
  ),
  'DELETE /api/connections/{connectionId}': admin('Remove a connection; its records stay, read-only', 'It is gone.', {
    audit: 'connection.removed',
  }),
  'POST /api/connections/{connectionId}/check': admin(
    'Test the key of a connection with reads of a random id',
    'What the service made of it.',
    { response: KeyCheck, audit: 'connection.key_checked' },
  ),
  'GET /api/connections/{connectionId}/move-records': admin(
    'Count the records that a move to another connection would take, and those that would stay',
    'What would move.',
    { query: MoveRecords, response: RecordMove },
  ),
  'POST /api/connections/{connectionId}/move-records': admin(
    'Move the records of a connection that is gone, or of no known service, to the connection they belong to',
    'They are moved.',
    { body: MoveRecords, audit: 'connection.records_moved' },
  ),
  'POST /api/connections/{connectionId}/code-hosts': admin(
    'Add a code host whose pull requests are read; its token is encrypted and never read back',
    'The code host.',
    { body: AddCodeHost, response: ConnectionCodeHost, status: 201, audit: 'connection.code_host_added' },
  ),
  'PATCH /api/connections/{connectionId}/code-hosts/{codeHostId}': admin(
    'Replace the token of a code host',
    'The code host.',
    { body: ReplaceCodeHostToken, response: ConnectionCodeHost, audit: 'connection.code_host_token_replaced' },
  ),
  'DELETE /api/connections/{connectionId}/code-hosts/{codeHostId}': admin(
    'Remove a code host and its token',
    'It is gone.',
    { audit: 'connection.code_host_removed' },
  ),
  'POST /api/connections/{connectionId}/code-hosts/{codeHostId}/check': admin(
    'Test the token of a code host with one call',
    'What the code host made of it.',
    { response: CodeHostCheck, audit: 'connection.code_host_tested' },
  ),
  'GET /api/projects': viewerInScope(
    'Projects with the names that people gave them',
    'Named projects, and those of jobs on the list.',
    { response: ProjectList },
  ),
  'POST /api/projects': operatorInScope('Name a project, or make it the default of its connection', 'The project.', {
    body: SaveProject,
    response: Project,
    audit: 'project.named',
  }),
}
