import { Gate, GateQuery, Proposal, Propose } from './releases/gates.ts'
import { OpenedHostedSite, OpenHostedSite } from './releases/hosting.ts'
import { OpenProposalList } from './releases/open-proposals.ts'
import {
  AddChannel,
  ChangeChannel,
  ChangeSite,
  Channel,
  JoinSite,
  PinChannel,
  PromoteArtifact,
  ReleaseList,
  ReleasesQuery,
  RollBack,
  Site,
  SiteArtifacts,
  SiteFeed,
  SiteList,
  UnpinChannel,
} from './releases/sites.ts'
import { AddSiteGrant, SiteGrant, SiteGrantList } from './people/site-grants.ts'

/** Routes about sites, their channels and releases. */
export const siteRoutes = {
  '/api/sites': { GET: { response: SiteList } },
  '/api/sites/{siteId}': { GET: { response: Site }, PATCH: { body: ChangeSite, response: Site } },
  '/api/sites/{siteId}/artifacts': { GET: { response: SiteArtifacts } },
  '/api/sites/{siteId}/join': { POST: { body: JoinSite, response: Site } },
  '/api/sites/{siteId}/separate': { POST: { body: SiteFeed, response: Site } },
  '/api/sites/{siteId}/channels': { POST: { body: AddChannel, response: Site } },
  '/api/sites/{siteId}/channels/{channelId}': { PATCH: { body: ChangeChannel, response: Channel }, DELETE: {} },
  '/api/sites/{siteId}/channels/{channelId}/releases': {
    GET: { query: ReleasesQuery, response: ReleaseList },
    POST: { body: PromoteArtifact, response: Channel },
  },
  '/api/sites/{siteId}/channels/{channelId}/rollback': { POST: { body: RollBack, response: Channel } },
  '/api/sites/{siteId}/channels/{channelId}/pin': {
    POST: { body: PinChannel, response: Channel },
    DELETE: { query: UnpinChannel, response: Channel },
  },
  '/api/sites/{siteId}/channels/{channelId}/gate': { GET: { query: GateQuery, response: Gate } },
  '/api/sites/{siteId}/channels/{channelId}/proposals': { POST: { body: Propose, response: Proposal } },
  '/api/sites/{siteId}/channels/{channelId}/proposals/{proposalId}': { DELETE: {} },
  '/api/sites/{siteId}/channels/{channelId}/proposals/{proposalId}/approval': {
    POST: {},
    DELETE: {},
  },
  '/api/static-exports/{exportId}/site': { GET: { response: Site } },
  '/api/proposals': { GET: { response: OpenProposalList } },
  '/api/site-grants': { GET: { response: SiteGrantList }, POST: { body: AddSiteGrant, response: SiteGrant } },
  '/api/site-grants/{grantId}': { DELETE: {} },
  '/api/hosted-sites/open': { POST: { body: OpenHostedSite, response: OpenedHostedSite } },
}
