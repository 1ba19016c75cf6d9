import { type KeyObject, randomUUID, verify } from 'node:crypto'
import type { Pull, RecordedRequest, Reply } from './recorded-requests.ts'

/** Requests for labels, reviewers and users, before or after the creation. Null for other requests. */
export const complete = ({ method, path, query, body }: RecordedRequest, pulls: readonly Pull[]): Reply | null => {
  // https://docs.gitlab.com/api/users/
  if (path === '/api/v4/users')
    return {
      status: 200,
      json: query.get('username') === 'alice' ? [{ id: 11, username: 'alice', state: 'active' }] : [],
    }
  // https://docs.gitea.com/api/
  if (path === '/api/v1/repos/acme/handbook/labels')
    return { status: 200, json: [{ id: 5, name: 'docs', color: '00aabb' }] }
  const [, number, what] = /\/(\d+)\/(labels|requested_reviewers)$/.exec(path) ?? []
  const pull = pulls.find((pull) => pull.number === Number(number))
  if (method !== 'POST' || !pull || what === undefined) return null
  // https://docs.github.com/en/rest/pulls/review-requests
  if (body.includes('nobody'))
    return {
      status: 422,
      json: {
        message:
          'Reviews may only be requested from collaborators. One or more of the users or teams you specified is not a collaborator of the acme/handbook repository.',
      },
    }
  Object.assign((pull.more ??= {}), JSON.parse(body))
  return { status: what === 'labels' ? 200 : 201, json: [] }
}

/** A GitHub App and the token that the server currently accepts. */
export type AppOnServer = { id: string; publicKey: KeyObject; installationId: number; token: string; expiresAt: string }

/** https://docs.github.com/en/rest/apps/apps: each request with the app's own key, and each new token ends the one before. */
export const answerApp = (app: AppOnServer, { method, path, headers, body }: RecordedRequest): Reply | null => {
  const [, installation] = /^\/api\/v3\/app\/installations\/(\d+)\/access_tokens$/.exec(path) ?? []
  const creates = installation !== undefined && method === 'POST'
  const finds = path === '/api/v3/repos/acme/handbook/installation' && method === 'GET'
  if (!creates && !finds) return null
  const [head = '', claims = '', signature = ''] = (headers.authorization ?? '').replace(/^Bearer /, '').split('.')
  const data = Buffer.from(`${head}.${claims}`)
  const { iss, iat, exp } = JSON.parse(Buffer.from(claims, 'base64url').toString() || '{}') as Record<string, unknown>
  const isValid = verify('RSA-SHA256', data, app.publicKey, Buffer.from(signature, 'base64url'))
  if (!isValid || iss !== app.id || Number(exp) - Number(iat) > 600)
    return {
      status: 401,
      json: { message: 'A JSON web token could not be decoded', documentation_url: 'https://docs.github.com/rest' },
    }
  if (finds)
    return { status: 200, json: { id: app.installationId, app_id: 1, target_type: 'Organization', permissions: {} } }
  if (Number(installation) !== app.installationId) return { status: 404, json: { message: 'Not Found' } }
  const { repositories } = JSON.parse(body) as { repositories?: string[] }
  if (repositories?.join() !== 'handbook')
    return {
      status: 422,
      json: {
        message:
          'There is at least one repository that does not exist or is not accessible to the parent installation.',
      },
    }
  app.token = `ghs_${randomUUID()}`
  return {
    status: 201,
    json: {
      token: app.token,
      expires_at: app.expiresAt,
      permissions: { contents: 'write', pull_requests: 'write' },
      repository_selection: 'selected',
    },
  }
}
