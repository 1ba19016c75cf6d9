import {
  AddTarget,
  ChangeTarget,
  Delivery,
  DeliveryList,
  DryRun,
  HostKey,
  ReadHostKey,
  RequestDelivery,
  Target,
  TargetList,
  TargetTest,
  TestTarget,
} from './targets.ts'
import { admin, ofSites } from '#ground/route.ts'

export const targetRoutes = {
  'GET /api/sites/{siteId}/channels/{channelId}/targets': ofSites(
    'The places where a channel is delivered, for those who publish to it',
    'Its targets, by name, without their secrets.',
    { response: TargetList },
  ),
  'POST /api/sites/{siteId}/channels/{channelId}/targets': ofSites(
    'Add a target; its secret is encrypted and never read back',
    'The target.',
    { body: AddTarget, response: Target, status: 201, audit: 'target.added' },
  ),
  'PATCH /api/sites/{siteId}/channels/{channelId}/targets/{targetId}': ofSites(
    'Change a target; settings that lead to another place need the secret again',
    'The target.',
    { body: ChangeTarget, response: Target, audit: 'target.changed' },
  ),
  'DELETE /api/sites/{siteId}/channels/{channelId}/targets/{targetId}': ofSites(
    'Remove a target and its secret; what was delivered stays there',
    'It is gone.',
    { audit: 'target.removed' },
  ),
  'GET /api/sites/{siteId}/channels/{channelId}/targets/{targetId}/dry-run': ofSites(
    'Compare what a target has with the current release',
    'What a delivery would change.',
    { response: DryRun },
  ),
  'GET /api/sites/{siteId}/channels/{channelId}/targets/{targetId}/deliveries': ofSites(
    'The deliveries to a target',
    'The newest 50, newest first.',
    { response: DeliveryList },
  ),
  'POST /api/sites/{siteId}/channels/{channelId}/targets/{targetId}/deliveries': ofSites(
    'Deliver the current release, verify what was delivered, or take it back',
    'The delivery, which waits for its turn.',
    { body: RequestDelivery, response: Delivery, status: 201, audit: 'delivery.requested' },
  ),
  'POST /api/target-tests': admin(
    'Try a target: write, read and remove something there',
    'Whether it works, and why not.',
    { body: TestTarget, response: TargetTest, audit: 'target.tested' },
  ),
  'POST /api/host-keys': admin('Ask an SSH server for its key', 'The key, and the fingerprint to compare.', {
    body: ReadHostKey,
    response: HostKey,
  }),
}
