import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { knownVulnerabilities } from './known-vulnerabilities.ts'

const root = join(import.meta.dirname, '..', '..')

const registryThat = async (listener: RequestListener) => {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { registry: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` }
}

const registryWith = (advisories: object) =>
  registryThat((_request, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(advisories)),
  )

const advisory = { id: 1, title: 'Planted', url: 'https://x.test/1', vulnerable_versions: '<99.0.0', cwe: [] }

test('a high-severity vulnerability in a shipped package is a fault; a moderate one, or one of another version, is not', async () => {
  const registry = await registryWith({
    hono: [{ ...advisory, severity: 'high' }],
    zod: [{ ...advisory, id: 2, severity: 'moderate' }],
    pg: [{ ...advisory, id: 3, severity: 'critical', vulnerable_versions: '<0.0.1' }],
  })
  expect(await knownVulnerabilities(root, registry)).toEqual({
    faults: ['high: hono <99.0.0: Planted (https://x.test/1)'],
  })
})

test('a registry response without vulnerabilities is no fault', async () => {
  expect(await knownVulnerabilities(root, await registryWith({}))).toEqual({ faults: [] })
})

test('a registry without the endpoint is reported as neither a fault nor a pass', async () => {
  const registry = await registryThat((_request, response) => response.writeHead(405).end())
  expect(await knownVulnerabilities(root, registry)).toEqual({ notRun: expect.stringContaining('405') })
})

test('a registry that never responds times out', async () => {
  const registry = await registryThat(() => {})
  expect(await knownVulnerabilities(root, { ...registry, withinMs: 1500 })).toEqual({
    notRun: 'the registry did not answer within 1.5 s',
  })
})

test('without a network, the check ends at once with a reason', async () => {
  const nobody = { registry: 'http://127.0.0.1:1/' }
  expect(await knownVulnerabilities(root, nobody)).toEqual({ notRun: expect.stringContaining('refused') })
})
