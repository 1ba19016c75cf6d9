import { PublishChecks, PublishChecksQuery, OpenProposalList, Proposal, Propose } from './publish-checks.ts'
import {
  OpenHostedSite,
  OpenedHostedSite,
  AddChannel,
  ChangeChannel,
  ChangeSite,
  Channel,
  JoinSite,
  PinChannel,
  PublishArtifact,
  ReleaseList,
  ReleasesQuery,
  RollBack,
  Site,
  SiteArtifacts,
  SiteFeed,
  SiteList,
  SiteReleaseList,
  SiteReleasesQuery,
  UnpinChannel,
} from './sites.ts'
import { OpenPreview, Preview, PreviewViolations } from './previews.ts'
import { ofSites, person, viewerInBrowser, viewerOfRecord } from '#ground/route.ts'

/** Routes of sites, their channels and releases, and of previews. The services check the rights of each caller on each site. */
export const siteRoutes = {
  'GET /api/sites': ofSites(
    'The documentation sites that the sender may see',
    'Every site with its channels, by name.',
    { response: SiteList },
  ),
  'GET /api/sites/{siteId}': ofSites('One site', 'The site with its channels.', { response: Site }),
  'PATCH /api/sites/{siteId}': ofSites(
    'Name a site, change its label, or choose the channel that pages call live',
    'The site with its channels.',
    {
      body: ChangeSite,
      response: Site,
      audit: 'site.changed',
    },
  ),
  'DELETE /api/sites/{siteId}': person(
    'Remove a site: its addresses, channels, releases, targets and roles end; exports and bundles stay',
    'Removed. The next stored export of one of its domains makes a new site.',
    { audit: 'site.removed' },
  ),
  'GET /api/sites/{siteId}/artifacts': ofSites(
    'The stored bundles that channels of a site can show',
    'The newest 50, newest first. Empty for those who only see some of its channels.',
    { response: SiteArtifacts },
  ),
  'GET /api/sites/{siteId}/releases': ofSites(
    'What the channels of a site showed, since when, and who decided it',
    'A part of the releases of all its channels, newest first.',
    { query: SiteReleasesQuery, response: SiteReleaseList },
  ),
  'POST /api/sites/{siteId}/join': ofSites(
    'Let the exports of another site feed this one',
    'The site; the other one is gone.',
    { body: JoinSite, response: Site, audit: 'site.joined' },
  ),
  'POST /api/sites/{siteId}/separate': ofSites(
    'Make the exports of a connection and domain a site of their own again',
    'The site with its channels.',
    { body: SiteFeed, response: Site, audit: 'site.separated' },
  ),
  'POST /api/sites/{siteId}/channels': ofSites('Add a channel', 'The site with its channels.', {
    body: AddChannel,
    response: Site,
    audit: 'channel.added',
  }),
  'PATCH /api/sites/{siteId}/channels/{channelId}': ofSites(
    'Change the settings of a channel; `conflict` after somebody else changed it',
    'The channel, and what it shows now.',
    { body: ChangeChannel, response: Channel, audit: 'channel.changed' },
  ),
  'DELETE /api/sites/{siteId}/channels/{channelId}': ofSites(
    'Delete a channel with its releases; not `production` or `latest`',
    'Deleted.',
    { audit: 'channel.removed' },
  ),
  'GET /api/sites/{siteId}/channels/{channelId}/releases': ofSites(
    'What a channel showed, since when, and who decided it',
    'A part of its releases, newest first.',
    { query: ReleasesQuery, response: ReleaseList },
  ),
  'POST /api/sites/{siteId}/channels/{channelId}/releases': ofSites(
    'Publish a stored bundle; `conflict` when a check fails or somebody else changed the channel',
    'The channel, and what it shows now.',
    { body: PublishArtifact, response: Channel, audit: 'release.published' },
  ),
  'POST /api/sites/{siteId}/channels/{channelId}/rollback': ofSites(
    'Roll back to an earlier release; rules leave the channel alone from then on',
    'The channel, and what it shows now.',
    { body: RollBack, response: Channel, audit: 'release.rolled_back' },
  ),
  'POST /api/sites/{siteId}/channels/{channelId}/pin': ofSites(
    'Make rules leave a channel alone; `conflict` for one that no rule moves',
    'The channel, and what it shows now.',
    { body: PinChannel, response: Channel, audit: 'channel.pinned' },
  ),
  'DELETE /api/sites/{siteId}/channels/{channelId}/pin': ofSites(
    'Let rules move a channel again',
    'The channel, and what it shows now.',
    { query: UnpinChannel, response: Channel, audit: 'channel.unpinned' },
  ),
  'GET /api/sites/{siteId}/channels/{channelId}/publish-checks': ofSites(
    'Checks before publishing a stored bundle to a channel',
    'Each check of this bundle, and the request for approvals.',
    { query: PublishChecksQuery, response: PublishChecks },
  ),
  'POST /api/sites/{siteId}/channels/{channelId}/proposals': ofSites(
    'Ask others to approve publishing a bundle, or that the channel becomes public; replaces a request for another bundle',
    'The request for approvals, with those that count.',
    { body: Propose, response: Proposal, audit: 'proposal.made' },
  ),
  'DELETE /api/sites/{siteId}/channels/{channelId}/proposals/{proposalId}': ofSites(
    'Withdraw a request for approvals',
    'It has ended.',
    { audit: 'proposal.withdrawn' },
  ),
  'POST /api/sites/{siteId}/channels/{channelId}/proposals/{proposalId}/approval': ofSites(
    'Approve what somebody else asked for',
    'Approved.',
    { audit: 'proposal.approved' },
  ),
  'DELETE /api/sites/{siteId}/channels/{channelId}/proposals/{proposalId}/approval': ofSites(
    'Take one’s own approval back',
    'It counts no more.',
    { audit: 'proposal.approval_withdrawn' },
  ),
  'GET /api/static-exports/{exportId}/site': viewerOfRecord(
    'The site that an export feeds',
    'The site with its channels.',
    { response: Site },
  ),
  'GET /api/proposals': ofSites(
    'Requests to publish that wait for approvals',
    'The open proposals of channels that the sender may see, oldest first.',
    { response: OpenProposalList },
  ),
  'POST /api/hosted-sites/open': person(
    'Open a hosted site that asks for a sign-in',
    'Where to open it. The address works once.',
    { body: OpenHostedSite, response: OpenedHostedSite, audit: 'hosted_site.opened' },
  ),
  'POST /api/static-exports/{exportId}/artifact/previews': viewerInBrowser(
    'Open a stored bundle in this browser, apart from Docket',
    'Where to open it. The address works once.',
    { body: OpenPreview, response: Preview, audit: 'preview.opened' },
  ),
  'GET /api/static-exports/{exportId}/artifact/previews/{previewId}': viewerInBrowser(
    'What pages of a preview asked for and did not get',
    'Its violations.',
    { response: PreviewViolations },
  ),
  'DELETE /api/static-exports/{exportId}/artifact/previews/{previewId}': viewerInBrowser(
    'End a preview',
    'It has ended.',
  ),
}
