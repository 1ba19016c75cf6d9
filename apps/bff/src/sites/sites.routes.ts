import type { Context } from 'hono'
import { apiRoute, apiRoutes } from '#http/api-routes.ts'
import type { AppEnv } from '#http/app-env.ts'
import type { ChannelService } from './channels.service.ts'
import type { SiteJoiner } from './join-sites.ts'
import type { Sender } from './ports.ts'
import type { ReleaseService } from './releases.service.ts'
import type { SiteService } from './sites.service.ts'

const ofSite = '/api/sites/{siteId}'
const ofChannel = '/api/sites/{siteId}/channels/{channelId}'
const theSite = 'The site with its channels.'
const theChannel = 'The channel, and what it shows now.'

const list = apiRoute('GET', '/api/sites', {
  summary: 'The documentation sites that the sender may see',
  answer: 'Every site with its channels, by name.',
})
const read = apiRoute('GET', ofSite, { summary: 'One site', answer: theSite })
const change = apiRoute('PATCH', ofSite, { summary: 'Name a site, or change its label', answer: theSite })
const listArtifacts = apiRoute('GET', `${ofSite}/artifacts`, {
  summary: 'The stored bundles that channels of a site can show',
  answer: 'The newest 50, newest first. Empty for those who only see some of its channels.',
})
const join = apiRoute('POST', `${ofSite}/join`, {
  summary: 'Let the exports of another site feed this one',
  answer: 'The site; the other one is gone.',
})
const separate = apiRoute('POST', `${ofSite}/separate`, {
  summary: 'Make the exports of a connection and domain a site of their own again',
  answer: theSite,
})
const addChannel = apiRoute('POST', `${ofSite}/channels`, { summary: 'Add a channel', answer: theSite })
const changeChannel = apiRoute('PATCH', ofChannel, {
  summary: 'Change the settings of a channel; `conflict` after somebody else changed it',
  answer: theChannel,
})
const removeChannel = apiRoute('DELETE', ofChannel, {
  summary: 'Delete a channel with its releases; not `production` or `latest`',
  answer: 'Deleted.',
})
const listReleases = apiRoute('GET', `${ofChannel}/releases`, {
  summary: 'What a channel showed, since when, and who decided it',
  answer: 'A part of its releases, newest first.',
})
const promote = apiRoute('POST', `${ofChannel}/releases`, {
  summary: 'Promote a stored bundle; `conflict` when the gate refuses or somebody else changed the channel',
  answer: theChannel,
})
const rollBack = apiRoute('POST', `${ofChannel}/rollback`, {
  summary: 'Go back to an earlier release, and pin the channel',
  answer: theChannel,
})
const pin = apiRoute('POST', `${ofChannel}/pin`, { summary: 'Make rules leave a channel alone', answer: theChannel })
const unpin = apiRoute('DELETE', `${ofChannel}/pin`, {
  summary: 'Let rules move a channel again',
  answer: theChannel,
})
const ofExport = apiRoute('GET', '/api/static-exports/{exportId}/site', {
  summary: 'The site that an export feeds',
  answer: theSite,
})

const toSender = (c: Context<AppEnv>): Sender => ({
  identity: c.var.identity,
  actor: c.var.actor,
  host: c.req.header('host') ?? '',
})

/** `/api/sites…`: sites, their channels and releases. The services decide who may see and change what. */
export const siteRoutes = (sites: {
  sites: SiteService
  channels: ChannelService
  releases: ReleaseService
  joining: SiteJoiner
}) =>
  apiRoutes()
    .serve(list, (c) => sites.sites.list(toSender(c)))
    .serve(read, (c) => sites.sites.read(c.req.valid('param').siteId, toSender(c)))
    .serve(change, async (c) => {
      const { siteId } = c.req.valid('param')
      await sites.sites.change(siteId, c.req.valid('json'), toSender(c))
      return sites.sites.read(siteId, toSender(c))
    })
    .serve(listArtifacts, (c) => sites.sites.listArtifacts(c.req.valid('param').siteId, toSender(c)))
    .serve(join, async (c) => {
      const { siteId } = c.req.valid('param')
      await sites.joining.join(siteId, c.req.valid('json').siteId, toSender(c))
      return sites.sites.read(siteId, toSender(c))
    })
    .serve(separate, async (c) => {
      const { siteId } = c.req.valid('param')
      await sites.joining.separate(siteId, c.req.valid('json'), toSender(c))
      return sites.sites.read(siteId, toSender(c))
    })
    .serve(addChannel, async (c) => {
      const { siteId } = c.req.valid('param')
      await sites.channels.add(siteId, c.req.valid('json'), toSender(c))
      return sites.sites.read(siteId, toSender(c))
    })
    .serve(changeChannel, async (c) => {
      const key = c.req.valid('param')
      await sites.channels.change(key, c.req.valid('json'), toSender(c))
      return sites.sites.readChannel(key, toSender(c))
    })
    .serve(removeChannel, (c) => sites.channels.remove(c.req.valid('param'), toSender(c)))
    .serve(listReleases, (c) => sites.releases.list(c.req.valid('param'), c.req.valid('query'), toSender(c)))
    .serve(promote, async (c) => {
      const key = c.req.valid('param')
      await sites.releases.promote(key, c.req.valid('json'), toSender(c))
      return sites.sites.readChannel(key, toSender(c))
    })
    .serve(rollBack, async (c) => {
      const key = c.req.valid('param')
      await sites.releases.rollBack(key, c.req.valid('json'), toSender(c))
      return sites.sites.readChannel(key, toSender(c))
    })
    .serve(pin, async (c) => {
      const key = c.req.valid('param')
      await sites.releases.pin(key, c.req.valid('json'), toSender(c))
      return sites.sites.readChannel(key, toSender(c))
    })
    .serve(unpin, async (c) => {
      const key = c.req.valid('param')
      await sites.releases.unpin(key, c.req.valid('query'), toSender(c))
      return sites.sites.readChannel(key, toSender(c))
    })
    .serve(ofExport, (c) => sites.sites.readByExport(c.req.valid('param').exportId, toSender(c)))
