import { apiRoute, apiRoutes } from '#ground/http/api-routes.ts'
import type { ChannelService } from './channels.service.ts'
import type { SiteJoiner } from './join-sites.ts'
import { toSender } from './to-sender.ts'
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

/** `/api/sites…`: sites, their channels and releases. The services decide who may see and change what. */
export const siteRoutes = (services: {
  sites: SiteService
  channels: ChannelService
  releases: ReleaseService
  joining: SiteJoiner
}) => {
  const { sites, channels, releases, joining } = services
  return apiRoutes()
    .serve(list, (c) => sites.list(toSender(c)))
    .serve(read, (c) => sites.read(c.req.valid('param').siteId, toSender(c)))
    .serve(change, async (c) => {
      const [{ siteId }, sender] = [c.req.valid('param'), toSender(c)]
      await sites.change(siteId, c.req.valid('json'), sender)
      return sites.read(siteId, sender)
    })
    .serve(listArtifacts, (c) => sites.listArtifacts(c.req.valid('param').siteId, toSender(c)))
    .serve(join, async (c) => {
      const [{ siteId }, sender] = [c.req.valid('param'), toSender(c)]
      await joining.join(siteId, c.req.valid('json').siteId, sender)
      return sites.read(siteId, sender)
    })
    .serve(separate, async (c) => {
      const [{ siteId }, sender] = [c.req.valid('param'), toSender(c)]
      await joining.separate(siteId, c.req.valid('json'), sender)
      return sites.read(siteId, sender)
    })
    .serve(addChannel, async (c) => {
      const [{ siteId }, sender] = [c.req.valid('param'), toSender(c)]
      await channels.add(siteId, c.req.valid('json'), sender)
      return sites.read(siteId, sender)
    })
    .serve(changeChannel, async (c) => {
      const [key, sender] = [c.req.valid('param'), toSender(c)]
      await channels.change(key, c.req.valid('json'), sender)
      return sites.readChannel(key, sender)
    })
    .serve(removeChannel, (c) => channels.remove(c.req.valid('param'), toSender(c)))
    .serve(listReleases, (c) => releases.list(c.req.valid('param'), c.req.valid('query'), toSender(c)))
    .serve(promote, async (c) => {
      const [key, sender] = [c.req.valid('param'), toSender(c)]
      await releases.promote(key, c.req.valid('json'), sender)
      return sites.readChannel(key, sender)
    })
    .serve(rollBack, async (c) => {
      const [key, sender] = [c.req.valid('param'), toSender(c)]
      await releases.rollBack(key, c.req.valid('json'), sender)
      return sites.readChannel(key, sender)
    })
    .serve(pin, async (c) => {
      const [key, sender] = [c.req.valid('param'), toSender(c)]
      await releases.pin(key, c.req.valid('json'), sender)
      return sites.readChannel(key, sender)
    })
    .serve(unpin, async (c) => {
      const [key, sender] = [c.req.valid('param'), toSender(c)]
      await releases.unpin(key, c.req.valid('query'), sender)
      return sites.readChannel(key, sender)
    })
    .serve(ofExport, (c) => sites.readByExport(c.req.valid('param').exportId, toSender(c)))
}
