import { AccountSessionList, ChangeUser, Invite, OneTimeLink, User, UserList } from './accounts.ts'
import { ApiTokenList, CreateApiToken, CreatedApiToken, DeleteUserQuery } from './tokens.ts'
import { AddGrant, Grant, GrantList, AddSiteGrant, SiteGrant, SiteGrantList } from './grants.ts'
import { admin } from '#ground/route.ts'

export const peopleRoutes = {
  'GET /api/users': admin('Everybody with an account, and who is invited', 'People by name.', { response: UserList }),
  'POST /api/users/invitations': admin(
    'Invite somebody; nothing is sent',
    'The link to pass on, which is shown this once.',
    { body: Invite, response: OneTimeLink, status: 201, audit: 'invitation.created' },
  ),
  'DELETE /api/users/invitations/{invitationId}': admin('Take an invitation back', 'Its link does not work any more.', {
    audit: 'invitation.revoked',
  }),
  'GET /api/grants': admin('Roles of people and groups on single connections', 'The roles, the oldest first.', {
    response: GrantList,
  }),
  'POST /api/grants': admin(
    'Give a person or a group a role on a connection; nobody grants themselves anything',
    'The role. It replaces the one they had there.',
    { body: AddGrant, response: Grant, status: 201, audit: 'grant.added' },
  ),
  'DELETE /api/grants/{grantId}': admin(
    'Take a role on a connection away',
    'It counts no more, from the next request on.',
    { audit: 'grant.removed' },
  ),
  'PATCH /api/users/{userId}': admin(
    'Change the name or role of somebody, whether they may prompt agents, or whether their next single sign-on links the account; disable or enable them. A new role and disabling end their sessions',
    'The account.',
    {
      body: ChangeUser,
      response: User,
      audit: [
        'session.revoked',
        'user.changed_role',
        'user.disabled',
        'user.enabled',
        'user.link_allowed',
        'user.link_withdrawn',
        'user.prompts_allowed',
        'user.prompts_refused',
        'user.renamed',
      ],
    },
  ),
  'DELETE /api/users/{userId}': admin(
    'Delete an account, which ends its sessions and its API tokens; tokens can be handed over to you instead',
    'It is gone.',
    { query: DeleteUserQuery, audit: ['api_token.handed_over', 'api_token.revoked', 'user.deleted'] },
  ),
  'POST /api/users/{userId}/password-link': admin(
    'Make a link with which somebody chooses a password',
    'The link, which is shown this once.',
    { response: OneTimeLink, status: 201, audit: 'user.password_link_created' },
  ),
  'GET /api/users/{userId}/sessions': admin('Where somebody is signed in', 'The sessions, the latest use first.', {
    response: AccountSessionList,
  }),
  'DELETE /api/users/{userId}/sessions': admin('End every session of somebody', 'They have ended.', {
    audit: 'session.revoked',
  }),
  'GET /api/tokens': admin(
    'API tokens, without their secrets',
    'Those that work first, then the latest of the others.',
    { response: ApiTokenList },
  ),
  'POST /api/tokens': admin('Make an API token; this answer alone holds it', 'The token, and what is kept of it.', {
    body: CreateApiToken,
    response: CreatedApiToken,
    status: 201,
    audit: 'api_token.created',
  }),
  'DELETE /api/tokens/{tokenId}': admin('Revoke an API token at once', 'It does not work any more.', {
    audit: 'api_token.revoked',
  }),
  'POST /api/tokens/{tokenId}/hand-over': admin(
    'Become the owner of an API token, such as one whose owner is gone',
    'It works, and never does more than you may.',
    { audit: 'api_token.handed_over' },
  ),
  'GET /api/site-grants': admin(
    'Roles of people and groups for single sites and channels',
    'The roles, the oldest first.',
    { response: SiteGrantList },
  ),
  'POST /api/site-grants': admin(
    'Give a person or a group a role for a site or a channel; nobody grants themselves anything',
    'The role. It replaces the one they had there.',
    { body: AddSiteGrant, response: SiteGrant, status: 201, audit: 'site_grant.added' },
  ),
  'DELETE /api/site-grants/{grantId}': admin(
    'Take a role for a site or a channel away',
    'It counts no more, from the next request on.',
    { audit: 'site_grant.removed' },
  ),
}
