import { About } from '#overview/about.ts'
import {
  AccountSessionList,
  AddPasskey,
  BackupCodes,
  ChangeAccount,
  ChangePassword,
  LinkPurpose,
  OidcStarted,
  PasskeyList,
  ProvePassword,
  ReadLink,
  SecondFactorCode,
  SecondFactorSetup,
  SignInStep,
  SignedOut,
  SignInWithPassword,
  StartOidc,
  UseLink,
  WebAuthnJson,
} from './accounts.ts'
import { ChangeView, SaveView, SavedView, SavedViews } from './saved-views.ts'
import { CheckSetUp, Handover, Person, Session, SetUp } from './session.ts'
import { anyone, browser, person } from '#ground/route.ts'

export const accountRoutes = {
  'GET /api/session': anyone('Who is signed in, and how one can sign in', 'The session.', { response: Session }),
  'POST /api/session': browser('Continue a session that was handed over', 'Signed in.', { body: Handover }),
  'DELETE /api/session': browser('Sign out: ends this session', 'It has ended.', { audit: 'session.signed_out' }),
  'POST /api/auth/sign-out': browser(
    'Sign out, and find where to sign out at the provider, too',
    'The session has ended.',
    { response: SignedOut, audit: 'session.signed_out' },
  ),
  'POST /api/setup': browser('Create the first admin with the one-time link, and sign in', 'Signed in.', {
    body: SetUp,
    audit: ['session.signed_in', 'user.created'],
  }),
  'POST /api/setup/check': browser('Check the one-time link of the first account, without using it up', 'It works.', {
    body: CheckSetUp,
  }),
  'POST /api/links/read': browser('What a one-time link is for; it is not used up', 'Its purpose.', {
    body: ReadLink,
    response: LinkPurpose,
    audit: 'session.signed_in',
  }),
  'POST /api/links/use': browser(
    'Use a one-time link: accept an invitation, choose a password, or sign in',
    'Done, and signed in; with a second factor the sign-in comes next.',
    { body: UseLink, audit: ['session.signed_in', 'user.created', 'user.password_changed'] },
  ),
  'POST /api/auth/sign-in/password': browser(
    'Sign in with e-mail address and password',
    'Signed in, or asked for the second factor next.',
    { body: SignInWithPassword, response: SignInStep, audit: 'session.signed_in' },
  ),
  'POST /api/auth/second-factor': browser(
    'End a sign-in with a code of the authenticator app, or a backup code',
    'Signed in.',
    { body: SecondFactorCode, audit: 'session.signed_in' },
  ),
  'POST /api/auth/passkey/options': browser(
    'Begin to sign in with a passkey: what the browser is to sign',
    'Options for `navigator.credentials.get`.',
    { response: WebAuthnJson },
  ),
  'POST /api/auth/passkey/sign-in': browser('Sign in with what the browser signed', 'Signed in.', {
    body: WebAuthnJson,
    audit: 'session.signed_in',
  }),
  'POST /api/auth/oidc': browser('Begin single sign-on: where the browser goes next', 'The address at the provider.', {
    body: StartOidc,
    response: OidcStarted,
  }),
  'PATCH /api/account': person("Change one's own name, e-mail address or time zone", 'The account.', {
    body: ChangeAccount,
    response: Person,
    audit: 'user.renamed',
  }),
  'POST /api/account/password': person('Choose a password; ends every other session of the account', 'It is changed.', {
    body: ChangePassword,
    audit: 'user.password_changed',
  }),
  'POST /api/account/read-news': person('Note that one has read what is new', 'It is noted.'),
  'GET /api/account/sessions': person('Where one is signed in', 'The sessions, the latest use first.', {
    response: AccountSessionList,
  }),
  'DELETE /api/account/sessions': person('End every session of the account but this one', 'They have ended.', {
    audit: 'session.revoked',
  }),
  'POST /api/account/sessions/handover': person(
    "Hand this session over from 127.0.0.1 or localhost to Docket's own name",
    'The token that continues it, once, within a minute.',
    { response: Handover },
  ),
  'DELETE /api/account/sessions/{sessionId}': person('End one session of the account', 'It has ended.', {
    audit: 'session.revoked',
  }),
  'POST /api/account/second-factor/begin': person('Begin to set up an authenticator app', 'The secret for the app.', {
    body: ProvePassword,
    response: SecondFactorSetup,
  }),
  'POST /api/account/second-factor/confirm': person(
    'Prove that the app works; from now on its codes are asked for',
    'Codes for when the app is away. Shown once.',
    { body: SecondFactorCode, response: BackupCodes, audit: 'user.second_factor_added' },
  ),
  'POST /api/account/second-factor/remove': person(
    'Remove the authenticator app and its backup codes',
    'It is removed.',
    { body: ProvePassword, audit: 'user.second_factor_removed' },
  ),
  'GET /api/account/passkeys': person("One's own passkeys", 'The passkeys, the oldest first.', {
    response: PasskeyList,
  }),
  'POST /api/account/passkeys': person('Add the passkey that the browser made', 'It can be used now.', {
    body: AddPasskey,
    audit: 'user.passkey_added',
  }),
  'POST /api/account/passkeys/options': person(
    'Begin to add a passkey: what the browser is to make it from',
    'Options for `navigator.credentials.create`.',
    { body: ProvePassword, response: WebAuthnJson },
  ),
  'DELETE /api/account/passkeys/{passkeyId}': person("Remove one of one's own passkeys", 'It is removed.', {
    audit: 'user.passkey_removed',
  }),
  'GET /api/views': person("One's own saved views", 'The views by name.', { response: SavedViews }),
  'POST /api/views': person('Save filters and order of a list under a name', 'The view.', {
    body: SaveView,
    response: SavedView,
    status: 201,
    audit: 'saved_view.created',
  }),
  'PATCH /api/views/{viewId}': person('Rename a saved view, or replace its filters and order', 'The view.', {
    body: ChangeView,
    response: SavedView,
    audit: 'saved_view.changed',
  }),
  'DELETE /api/views/{viewId}': person('Delete a saved view', 'It is deleted.', { audit: 'saved_view.deleted' }),
  'GET /api/about': person(
    'Which Docket this is, and up to which version one has read about it',
    'Version and build, and for admins what it runs on.',
    { response: About },
  ),
}
