import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeFolder } from '@docket/sources/testing/files'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import addFormats from 'ajv-formats'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { startAgentJobs } from '#testing/agent-jobs.ts'
import { startApi } from '#testing/api.ts'

const file = join(import.meta.dirname, '../../../docs/guide/reference/local-admin-api.yaml')
const source = await readFile(file, 'utf8')

type Description = { paths: Record<string, Record<string, { responses: Record<string, unknown> }>> }
const description = parse(source) as Description

test('the OpenAPI description of the service is valid and passes the linter', async () => {
  const config = await createConfig({
    extends: ['recommended-strict'],
    // An address on this machine is the only one the service has.
    rules: { 'no-server-example.com': 'off', 'operation-4xx-response': 'error' },
  })
  const problems = await lintFromString({ source, absoluteRef: file, config })
  expect(problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`)).toEqual([])
})

const ajv = new Ajv2020({ strict: false, allErrors: true })
addFormats.default(ajv)
ajv.addSchema(description as object, 'api')

const toPointer = (...parts: string[]) =>
  `api#/${parts.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`

/** Differences between an answer and the description; empty without any. */
const differences = async (path: string, method: string, response: Response): Promise<string[]> => {
  const operation = description.paths[path]?.[method]
  const described = operation?.responses[String(response.status)] as { $ref?: string } | undefined
  if (described === undefined) return [`${method} ${path} answered ${response.status}, which is not described`]
  const place =
    described.$ref === undefined
      ? toPointer('paths', path, method, 'responses', String(response.status))
      : `api${described.$ref}`
  const validate = ajv.compile({ $ref: `${place}/content/application~1json/schema` })
  return validate(await response.json()) ? [] : [ajv.errorsText(validate.errors)]
}

test('responses about exports match the OpenAPI description', async () => {
  const { call, start, finished } = await startApi({ exports: { refused: ['off.localhost'] }, sites: await sites() })
  const jobs = '/v1/static-export/jobs'
  const { jobId } = await start()
  const tooEarly = await call('POST', `${jobs}/${(await start('slow-5.sentinel.test')).jobId}/bundle`)
  await finished(jobId)
  const answers: [path: string, method: string, response: Response][] = [
    [jobs, 'post', await call('POST', jobs, { domain: 'docs.localhost', version: '2.1', paths: ['index'] })],
    [jobs, 'post', await call('POST', jobs, { domain: 'unknown.example.com' })],
    [jobs, 'post', await call('POST', jobs, 'not json')],
    [jobs, 'post', await call('POST', jobs, { domain: 'plan-refused.sentinel.test' })],
    [jobs, 'post', await call('POST', jobs, {}, { authorization: 'Bearer wrong' })],
    [`${jobs}/{jobId}`, 'get', await call('GET', `${jobs}/${jobId}`)],
    [`${jobs}/{jobId}`, 'delete', await call('DELETE', `${jobs}/${(await start('slow-99.sentinel.test')).jobId}`)],
    [`${jobs}/{jobId}`, 'delete', await call('DELETE', `${jobs}/${jobId}`)],
    [`${jobs}/{jobId}`, 'delete', await call('DELETE', `${jobs}/nothing`)],
    [`${jobs}/{jobId}`, 'get', await call('GET', `${jobs}/nothing`)],
    [`${jobs}/{jobId}/bundle`, 'post', await call('POST', `${jobs}/${jobId}/bundle`)],
    [`${jobs}/{jobId}/bundle`, 'post', tooEarly],
  ]
  for (const [path, method, response] of answers)
    expect([path, response.status, await differences(path, method, response)]).toEqual([path, response.status, []])
  expect(answers.map(([, , { status }]) => status)).toEqual([
    202, 400, 400, 403, 401, 200, 200, 409, 404, 404, 200, 409,
  ])
})

const sites = async () => {
  const folder = await writeFolder({ 'index.md': '# Home\n' })
  return { 'docs.localhost': folder, 'off.localhost': folder }
}

test('responses about agent jobs match the OpenAPI description', async () => {
  const { call, run, create: createJob } = await startAgentJobs(await writeFolder({ 'index.md': 'One\n' }))
  const { job } = await run('Replace "One" with "Two"')
  const [create, read] = ['/v2/agent/{projectId}/job', '/v2/agent/{projectId}/job/{id}']
  const message = `${read}/message`
  const list = '/v1/agent/{projectId}/jobs'
  const preview = '/v2/agent/{projectId}/maintenance/preview'
  const maintenance = { action: 'fix_links' }
  const answers: [path: string, method: string, response: Response][] = [
    [create, 'post', await call('POST', '/v2/agent/docs/job', { prompt: 'Fix links' })],
    [create, 'post', await call('POST', '/v2/agent/docs/job', { prompt: '' })],
    [create, 'post', await call('POST', '/v2/agent/other/job', { prompt: 'Fix links' })],
    [create, 'post', await call('POST', '/v2/agent/docs/job', { maintenance })],
    [preview, 'post', await call('POST', '/v2/agent/docs/maintenance/preview', { maintenance })],
    [preview, 'post', await call('POST', '/v2/agent/docs/maintenance/preview', {})],
    [preview, 'post', await call('POST', '/v2/agent/other/maintenance/preview', { maintenance })],
    [read, 'get', await call('GET', `/v2/agent/docs/job/${job.id}`)],
    [read, 'get', await call('GET', '/v2/agent/docs/job/nothing')],
    [list, 'get', await call('GET', '/v1/agent/docs/jobs')],
    [list, 'get', await call('GET', '/v1/agent/docs/jobs?take=101')],
    [list, 'get', await call('GET', '/v1/agent/other/jobs')],
    [message, 'post', await call('POST', `/v2/agent/docs/job/${job.id}/message`, { prompt: 'Fix links' })],
    [message, 'post', await call('POST', '/v2/agent/docs/job/nothing/message', { prompt: 'Fix links' })],
    [`${read}/log`, 'get', await call('GET', `/v2/agent/docs/job/${job.id}/log`)],
    [`${read}/log`, 'get', await call('GET', `/v2/agent/docs/job/${job.id}/log?offset=-1`)],
    [`${read}/archive`, 'post', await call('POST', `/v2/agent/docs/job/${job.id}/archive`)],
    [`${read}/cancel`, 'post', await call('POST', `/v2/agent/docs/job/${job.id}/cancel`)],
    [`${read}/cancel`, 'post', await call('POST', `/v2/agent/docs/job/${(await createJob('Wait 99 s')).id}/cancel`)],
  ]
  for (const [path, method, response] of answers)
    expect([path, response.status, await differences(path, method, response)]).toEqual([path, response.status, []])
  expect(answers.map(([, , { status }]) => status)).toEqual([
    201, 400, 404, 201, 200, 400, 404, 200, 404, 200, 400, 404, 200, 404, 200, 400, 409, 200, 200,
  ])
})
