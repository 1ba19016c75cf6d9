import { apiRoute, apiRoutes } from '#ground/http/api-routes.ts'
import { toSender } from '#releases/sites/to-sender.ts'
import type { Targets } from '#releases/releases.ts'

const ofChannel = '/api/sites/{siteId}/channels/{channelId}/targets'
const ofTarget = `${ofChannel}/{targetId}` as const

const list = apiRoute('GET', ofChannel, {
  summary: 'The places where a channel is delivered, for those who promote to it',
  answer: 'Its targets, by name, without their secrets.',
})
const add = apiRoute('POST', ofChannel, {
  summary: 'Add a target; its secret is encrypted and never read back',
  answer: 'The target.',
  status: 201,
})
const change = apiRoute('PATCH', ofTarget, {
  summary: 'Change a target; settings that lead to another place need the secret again',
  answer: 'The target.',
})
const remove = apiRoute('DELETE', ofTarget, {
  summary: 'Remove a target and its secret; what was delivered stays there',
  answer: 'It is gone.',
})
const dryRun = apiRoute('GET', `${ofTarget}/dry-run`, {
  summary: 'Compare what a target has with the current release',
  answer: 'What a delivery would change.',
})
const listDeliveries = apiRoute('GET', `${ofTarget}/deliveries`, {
  summary: 'The deliveries to a target',
  answer: 'The newest 50, newest first.',
})
const request = apiRoute('POST', `${ofTarget}/deliveries`, {
  summary: 'Deliver the current release, verify what was delivered, or take it back',
  answer: 'The delivery, which waits for its turn.',
  status: 201,
})
const test = apiRoute('POST', '/api/target-tests', {
  summary: 'Try a target: write, read and remove something there',
  answer: 'Whether it works, and why not.',
})
const readHostKey = apiRoute('POST', '/api/host-keys', {
  summary: 'Ask an SSH server for its key',
  answer: 'The key, and the fingerprint to compare.',
})

/** `/api/sites/…/targets`: targets of channels and deliveries to them. The services decide who may see and change what. */
export const targetRoutes = ({ targets, tester, deliveries }: Targets) =>
  apiRoutes()
    .serve(list, (c) => targets.list(c.req.valid('param'), toSender(c)))
    .serve(add, (c) => targets.add(c.req.valid('param'), c.req.valid('json'), toSender(c)))
    .serve(change, (c) => targets.change(c.req.valid('param'), c.req.valid('json'), toSender(c)))
    .serve(remove, (c) => targets.remove(c.req.valid('param'), toSender(c)))
    .serve(dryRun, (c) => targets.dryRun(c.req.valid('param'), toSender(c)))
    .serve(listDeliveries, (c) => deliveries.list(c.req.valid('param'), toSender(c)))
    .serve(request, (c) => deliveries.request(c.req.valid('param'), c.req.valid('json'), toSender(c)))
    .serve(test, (c) => tester.test(c.req.valid('json'), c.var.actor))
    .serve(readHostKey, (c) => tester.readHostKey(c.req.valid('json'), c.var.actor))
