import { AppError } from '#errors/app-error.ts'

// oxlint-disable-next-line no-control-regex -- control characters are exactly what is refused
const controlCharacter = /[\u0000-\u001f\u007f-\u009f]/u

/**
 * Whether a string can name a record of the Admin API: 1 to 256 characters, well-formed Unicode, no control characters, and not
 * `.` or `..`, which would change the path even when encoded.
 */
export const isUpstreamId = (id: string): boolean =>
  id.length >= 1 && id.length <= 256 && id !== '.' && id !== '..' && id.isWellFormed() && !controlCharacter.test(id)

const segment = (field: string, id: string): string => {
  if (!isUpstreamId(id)) {
    throw new AppError('invalid_request', `This ${field} cannot be an identifier of the Admin API.`, { field })
  }
  return encodeURIComponent(id)
}

/** The four path templates (Admin API §4), and the two below those of agent jobs. Throw `AppError` `invalid_request` for an id that must not go into a path. */
export const upstreamPath = {
  agentJob: (projectId: string, id: string) => `/v2/agent/${segment('projectId', projectId)}/job/${segment('id', id)}`,
  agentJobs: (projectId: string) => `/v2/agent/${segment('projectId', projectId)}/job`,
  agentMessages: (projectId: string, id: string) =>
    `/v2/agent/${segment('projectId', projectId)}/job/${segment('id', id)}/message`,
  staticExports: () => '/v1/static-export/jobs',
  staticExport: (jobId: string) => `/v1/static-export/jobs/${segment('jobId', jobId)}`,
  bundle: (jobId: string) => `/v1/static-export/jobs/${segment('jobId', jobId)}/bundle`,
}

/**
 * The second lock behind the id rules: what a URL parser makes of the path must be, byte for byte, what was built. Throws `AppError`
 * `invalid_request`.
 */
export const assertUnchangedPath = (origin: string, path: string): string => {
  const parsed = URL.parse(origin + path)
  if (parsed === null || parsed.origin !== origin || parsed.pathname !== path || parsed.href !== origin + path) {
    throw new AppError('invalid_request', 'This identifier would lead to another address of the Admin API.')
  }
  return path
}
