import { onTestFinished } from 'vitest'
import type { AdminApi } from '#service/admin-api/admin-api.ts'
import { AdminApiError } from '#ground/errors/app-error.ts'
import { httpAdminApi } from '#service/admin-api/http-admin-api.ts'
import type { HttpAdminApiOptions } from '#service/admin-api/http-admin-api.ts'
import { hostileAdminApi } from './hostile-admin-api.ts'
import type { Behaviour } from './hostile-admin-api.ts'

/** The key of every hostile test. It must never be seen again. */
export const canaryKey = 'adm_canary-7f3a9c51e2-do-not-leak'

/** A client of a stand-in with one behaviour. Both are closed when the test is over. */
export const createClient = async (behave: Behaviour, options: Partial<HttpAdminApiOptions> = {}) => {
  const server = await hostileAdminApi(behave)
  const api = httpAdminApi({ baseUrl: server.baseUrl, key: () => canaryKey, ...options })
  onTestFinished(async () => {
    await api.close()
    await server.close()
  })
  return { api, server }
}

/** The operations with harmless arguments. */
export const operations: [name: string, (api: AdminApi) => Promise<unknown>][] = [
  ['getAgentJob', (api) => api.getAgentJob({ projectId: 'p', id: 'j' })],
  ['listAgentJobs', (api) => api.listAgentJobs({ projectId: 'p', skip: 0, take: 50 })],
  ['createAgentJob', (api) => api.createAgentJob({ projectId: 'p', prompt: 'fix typos' })],
  ['sendAgentMessage', (api) => api.sendAgentMessage({ projectId: 'p', id: 'j', prompt: 'format' })],
  ['startStaticExport', (api) => api.startStaticExport({ domain: 'docs.example.com' })],
  ['getStaticExport', (api) => api.getStaticExport('e')],
  ['generateBundle', (api) => api.generateBundle('e')],
]

/** The `AdminApiError` that a call must end in; anything else fails the test. */
export const readFailure = async (call: Promise<unknown>): Promise<AdminApiError> => {
  const outcome: unknown = await call.catch((error: unknown) => error)
  if (outcome instanceof AdminApiError) return outcome
  throw new Error(`expected an AdminApiError, got ${JSON.stringify(outcome)}`)
}
