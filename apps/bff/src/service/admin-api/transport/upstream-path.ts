import { AppError, refusedFieldError } from '#ground/errors/app-error.ts'

// oxlint-disable-next-line no-control-regex -- control characters are exactly what is refused
const controlCharacter = /[\u0000-\u001f\u007f-\u009f]/u

/** True for a possible id of the Admin API: 1 to 256 well-formed characters, none a control, and not `.` or `..`. */
export const isUpstreamId = (id: string): boolean =>
  id.length >= 1 && id.length <= 256 && id !== '.' && id !== '..' && id.isWellFormed() && !controlCharacter.test(id)

const encodeSegment = (field: string, id: string): string => {
  if (!isUpstreamId(id)) {
    throw refusedFieldError(field, `This ${field} can’t be an Admin API identifier.`)
  }
  return encodeURIComponent(id)
}

/** Path templates (Admin API §4). Throw `AppError` `invalid_request` for an id that does not fit into a path. */
export const upstreamPath = {
  agentJob: (projectId: string, id: string) =>
    `/v2/agent/${encodeSegment('projectId', projectId)}/job/${encodeSegment('id', id)}`,
  agentJobs: (projectId: string) => `/v2/agent/${encodeSegment('projectId', projectId)}/job`,
  /** Not in §4, but documented by a public service. */
  agentJobList: (projectId: string, { skip, take }: { skip: number; take: number }) =>
    `/v1/agent/${encodeSegment('projectId', projectId)}/jobs?skip=${skip}&take=${take}`,
  agentMessages: (projectId: string, id: string) =>
    `/v2/agent/${encodeSegment('projectId', projectId)}/job/${encodeSegment('id', id)}/message`,
  /** Only the embedded service has these paths. */
  agentJobAction: (projectId: string, id: string, action: 'cancel' | 'archive') =>
    `/v2/agent/${encodeSegment('projectId', projectId)}/job/${encodeSegment('id', id)}/${action}`,
  agentJobLog: (projectId: string, id: string, offset: number) =>
    `/v2/agent/${encodeSegment('projectId', projectId)}/job/${encodeSegment('id', id)}/log?offset=${offset}`,
  staticExports: () => '/v1/static-export/jobs',
  staticExport: (jobId: string) => `/v1/static-export/jobs/${encodeSegment('jobId', jobId)}`,
  bundle: (jobId: string) => `/v1/static-export/jobs/${encodeSegment('jobId', jobId)}/bundle`,
}

/** Second check after the id rules: a URL parser must leave the path unchanged. Throws `AppError` `invalid_request`. */
export const assertUnchangedPath = (origin: string, path: string): string => {
  const parsed = URL.parse(origin + path)
  const [pathname] = path.split('?', 1)
  if (parsed === null || parsed.origin !== origin || parsed.pathname !== pathname || parsed.href !== origin + path) {
    throw new AppError('invalid_request', 'This identifier would lead to another address of the Admin API.')
  }
  return path
}
