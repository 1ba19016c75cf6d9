import { createHash, randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { Manifest } from '#packages/site-bundle/src/manifest.ts'
import { type Installation, query } from './installation.ts'

const bundleBytes = 100_000
/** Bundles of one site. */
const perSite = 100

/**
 * Puts bundles of 100 kB into the store of an installation, with the pages of the one that `production` shows. They belong to sites with public channels, and
 * the database takes all of them for missing, as after a restore without the store. Returns the label of the first site.
 */
export const addBundles = async (installation: Installation, count: number): Promise<string> => {
  const root = join(installation.store, 'sha256')
  const [model] = await query<{ sum: string }>(
    installation,
    'select r.sha256 as sum from releases r join channels c on c.current_release_id = r.release_id order by c.name desc',
  )
  const place = join(root, model!.sum)
  const manifest = JSON.parse(gunzipSync(readFileSync(join(place, 'manifest.json.gz'))).toString()) as Manifest
  const sums: string[] = []
  for (let number = 0; number < count; number += 1) {
    const bytes = randomBytes(bundleBytes)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const folder = join(root, sha256)
    mkdirSync(folder)
    writeFileSync(join(folder, 'bundle'), bytes)
    const own = { ...manifest, sha256, sizeBytes: bundleBytes }
    writeFileSync(join(folder, 'manifest.json.gz'), gzipSync(JSON.stringify(own), { level: 1 }))
    for (const name of ['site.zip', 'report.json.gz']) linkSync(join(place, name), join(folder, name))
    sums.push(sha256)
  }
  await query(
    installation,
    `create temporary table many as select gen_random_uuid() as export_id, sum, n, 'site-' || n / ${perSite} || '.example.com' as domain
      from unnest(array['${sums.join("','")}']) with ordinality as u (sum, n);
    insert into stored_bundles (sha256, state, store, ending, size_bytes, stored_bytes, content_bytes, files, pages, stored_at)
      select sum, 'missing', (select store from stores), '.tar.gz', ${bundleBytes}, ${bundleBytes}, 1, 1, 1, now() from many;
    insert into static_exports (export_id, domain, state, job_id, started_at, finished_at, bundle_sha256)
      select export_id, domain, 'completed', export_id::text, now() - n * interval '1 minute', now(), sum from many;
    insert into sites (domain, created_at) select distinct domain, now() from many;
    insert into artifacts (export_id, site_id, state, reason, sha256, exported_at, stored_at)
      select m.export_id, s.site_id, 'not_stored', 'not_restored', m.sum, now() - m.n * interval '1 minute', now()
      from many m join sites s using (domain);
    insert into releases (channel_id, number, kind, sha256, sum, export_id, pages, released_at, by_kind, by_name)
      select distinct on (c.channel_id) c.channel_id, 1, 'publication', m.sum, m.sum, m.export_id, 1, now(), 'docket', 'Docket'
      from many m join sites s using (domain) join channels c using (site_id);
    update channels c set current_release_id = r.release_id, last_number = 1, access = 'public'
      from releases r where r.channel_id = c.channel_id and c.current_release_id is null`,
  )
  return 'site-0-example-com'
}
