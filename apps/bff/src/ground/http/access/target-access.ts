import { admin, ofSites, type Rule } from './rules.ts'

const ofChannel = '/api/sites/:siteId/channels/:channelId/targets'

/** Access to the targets of channels. */
export const targetAccess: Readonly<Record<string, Rule>> = {
  [`GET ${ofChannel}`]: ofSites,
  [`POST ${ofChannel}`]: ofSites,
  [`PATCH ${ofChannel}/:targetId`]: ofSites,
  [`DELETE ${ofChannel}/:targetId`]: ofSites,
  [`GET ${ofChannel}/:targetId/dry-run`]: ofSites,
  [`GET ${ofChannel}/:targetId/deliveries`]: ofSites,
  [`POST ${ofChannel}/:targetId/deliveries`]: ofSites,
  'POST /api/target-tests': admin,
  'POST /api/host-keys': admin,
}
